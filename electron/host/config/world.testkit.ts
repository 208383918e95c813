import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { AppPaths } from "./types.ts";

/** A home, a workspace and the app's folders in one temporary place, for tests. */
export interface World {
  readonly top: string;
  readonly workspace: string;
  readonly paths: AppPaths;
  /** Writes a file below `top` with its folders; gives its path. */
  write(file: string, text: string): string;
  read(file: string): string;
  readSettings(): unknown;
  remove(): void;
}

/** Folders `ws`, `home`, `config`, `data`, `cache` and `cst` below a fresh real path in `parent`. */
export function createWorld(parent: string = os.tmpdir()): World {
  const top = fs.realpathSync(fs.mkdtempSync(path.join(parent, "nacre-world-")));
  const at = (name: string): string => path.join(top, name);
  for (const folder of ["ws", "home", "config", "data", "cache", "cst"]) fs.mkdirSync(at(folder));
  return {
    top,
    workspace: at("ws"),
    paths: {
      home: at("home"),
      config: at("config"),
      data: at("data"),
      cache: at("cache"),
      cst: at("cst"),
    },
    write(file, text) {
      fs.mkdirSync(path.dirname(at(file)), { recursive: true });
      fs.writeFileSync(at(file), text);
      return at(file);
    },
    read: (file) => fs.readFileSync(at(file), "utf8"),
    readSettings: () => JSON.parse(fs.readFileSync(at("config/settings.json"), "utf8")),
    remove: () => fs.rmSync(top, { recursive: true, force: true }),
  };
}
