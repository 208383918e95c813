import path from "node:path";
import type { FileStamp } from "../kit/file-index.ts";
import type { SkillRoot } from "./roots.ts";

export const skillFileName = "SKILL.md";
/** What its place calls a skill's file: its folder's name, or a flat file's without the ending. */
export const placeNameOf = (file: string): string =>
  path.basename(file) === skillFileName
    ? path.basename(path.dirname(file))
    : path.basename(file, path.extname(file));

/** A root with its real path; all that is found in it shares one. */
export interface RootPlace {
  readonly root: SkillRoot;
  readonly real: string;
}

/**
 * A file that is a skill by its place; what it holds is not looked at here. Its paths are made when they are asked for:
 * thousands of skills are found on the way of every start, and most paths are never needed.
 */
export class FoundSkill implements FileStamp {
  readonly form: "directory" | "flat";
  /** Of the directory, or of the flat file without its ending. */
  readonly placeName: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** A user's own by its real path, though it was reached from the workspace (spec 2, Trust). */
  readonly ofUser: boolean;
  readonly #place: RootPlace;
  readonly #linked: string | undefined;
  /** The real path of the Markdown file where that is a link of its own. */
  readonly linkedFile: string | undefined;

  /**
   * @param linked Where the entry in the root leads to, if it is a link.
   * @param linkedFile Where the Markdown file leads to, if it is a link.
   */
  constructor(
    place: RootPlace,
    form: "directory" | "flat",
    placeName: string,
    stamp: FileStamp,
    linked?: string,
    linkedFile?: string,
    ofUser = false,
  ) {
    this.#place = place;
    this.form = form;
    this.placeName = placeName;
    this.size = stamp.size;
    this.mtimeMs = stamp.mtimeMs;
    this.ctimeMs = stamp.ctimeMs;
    this.ino = stamp.ino;
    this.#linked = linked;
    this.linkedFile = linkedFile;
    this.ofUser = ofUser;
  }
  /** The same file, as the user's own. */
  asUsers(): FoundSkill {
    return new FoundSkill(this.#place, this.form, this.placeName, this, this.#linked, this.linkedFile, true);
  }
  get root(): SkillRoot {
    return this.#place.root;
  }
  get stamp(): FileStamp {
    return this;
  }
  /** The entry in the root is a link. */
  get linked(): boolean {
    return this.#linked !== undefined;
  }
  /** The Markdown file, as people reach it. */
  get path(): string {
    return this.form === "flat"
      ? `${this.root.path}${path.sep}${this.placeName}.md`
      : `${this.folder}${path.sep}${skillFileName}`;
  }
  /** What its relative paths are relative to: its directory; the root for the flat form. */
  get folder(): string {
    return this.form === "flat" || this.root.single
      ? this.root.path
      : `${this.root.path}${path.sep}${this.placeName}`;
  }
  /** The skill's directory with links resolved; for the flat form the real file. One of them is one skill. */
  get real(): string {
    if (this.#linked !== undefined) return this.#linked;
    const { root, real } = this.#place;
    if (root.single) return real;
    return `${real}${path.sep}${this.placeName}${this.form === "flat" ? ".md" : ""}`;
  }
}
