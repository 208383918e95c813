import path from "node:path";
import { realOrGiven } from "../config/real-or-given.ts";
import type { AppPaths } from "../config/types.ts";
import { keyFolders, userSources } from "../config/user-folders.ts";

/** What runs by itself when the user logs in, opens a terminal or uses git, and what steers package managers and the like. */
const startFiles =
  ".bashrc .bash_aliases .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .zlogout .config/fish " +
  ".xprofile .xinitrc .xsession .pam_environment .config/autostart .config/systemd Library/LaunchAgents " +
  ".gitconfig .config/git .local/bin bin .npmrc .yarnrc.yml .config/npm .pip .pypirc .config/pip .netrc .docker .kube " +
  ".cargo/config.toml .cargo/config";

/**
 * Places that are protected by their path where a writable root holds them, the home folder as workspace say. They need
 * not exist. Real paths; one that is a link itself stands for both, the link and where it leads.
 */
export function userPlaces(paths: AppPaths): string[] {
  const home = realOrGiven(paths.home);
  const places = [
    ...keyFolders({ home }),
    ...userSources({ home, cst: paths.cst }),
    ...startFiles.split(" ").map((name) => path.join(home, name)),
    paths.config,
    paths.data,
    paths.cache,
  ];
  return [...new Set(places.flatMap((place) => [withoutLinks(place), realOrGiven(place)]))];
}
/** The place itself may be a link; the folders on the way are resolved. */
const withoutLinks = (place: string): string =>
  path.join(realOrGiven(path.dirname(place)), path.basename(place));
