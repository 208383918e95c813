import path from "node:path";
import { realOrGiven } from "../config/real-or-given.ts";
import { isFolder, isInside, linkTargetOrNone, realPath, statOrNone } from "../kit/files.ts";
import { mainOf } from "./package-text.ts";

/** A program and its arguments, or words that may name files (environment values), and the folder they are taken from. */
export interface NamedIn {
  /** Absolute. */
  readonly cwd: string;
  /** Real path; files outside of it are none of the workspace's. */
  readonly workspace: string;
}

/**
 * Every word of a command that may name a file: the arguments themselves, what stands inside one (`sh -c "node s.js"`,
 * `--require ./pre.js` in a variable), and the path of a file: address.
 */
export const commandWords = (texts: readonly string[]): string[] =>
  [...new Set(texts.flatMap((text) => [text, ...splitWords(text)]))]
    .filter((word) => word !== "")
    .map((word) => word.replace(/^(--?[\w-]+=)?file:\/\//, "$1"));
const splitWords = (text: string): string[] => text.split(/[\s'"`;|&()<>]+/).filter((word) => word !== "");

/**
 * Which words name a regular file in the workspace: the files that a server, a hook or a debugger brings (spec 2,
 * Trust). Of `--flag=value` the value counts. With a file come the links of the workspace on the way to it, also where
 * they lead out of it. Absolute paths in byte order, each once.
 */
export function argumentFiles(words: readonly string[], { cwd, workspace }: NamedIn): string[] {
  const found = new Set<string>();
  for (const word of words)
    for (const text of [word, word.slice(word.indexOf("=") + 1)]) addFile(found, text, { cwd, workspace });
  return [...found].sort();
}

const mostFolders = 16;
/**
 * The folders of the workspace in which the names of a command may be meant, too: those that its words name
 * (`sh -c "cd sub && sh a.sh"`, `make -C sub`), one below the other, and those of the lists in which programs and modules
 * are searched (`PATH`, `PYTHONPATH`, `NODE_PATH`). Absolute, the nearest first; no more than 16.
 */
function namedFolders(
  words: readonly string[],
  searchLists: readonly string[],
  { cwd, workspace }: NamedIn,
): string[] {
  const found = new Set([cwd]);
  const add = (from: string, text: string): void => {
    if (text === "" || text.includes("\0") || found.size > mostFolders) return;
    const folder = path.resolve(from, text);
    if (isFolder(folder) && isInside(workspace, realPath(folder))) found.add(folder);
  };
  for (const entry of searchLists.flatMap((list) => list.split(path.delimiter))) add(cwd, entry);
  // What is found while looking is looked in as well.
  for (const from of found)
    for (const word of words) for (const text of [word, word.slice(word.indexOf("=") + 1)]) add(from, text);
  found.delete(cwd);
  return [...found];
}

/** Programs that do what a file of a known name in their folder says. */
const recipes: readonly (readonly [program: RegExp, files: readonly string[]])[] = [
  [/^[gn]?make(?:\.exe)?$/i, ["GNUmakefile", "makefile", "Makefile"]],
  [/^just(?:\.exe)?$/i, ["justfile", "Justfile", ".justfile"]],
  [
    /^(?:go-)?task(?:\.exe)?$/i,
    [
      "Taskfile.yml",
      "taskfile.yml",
      "Taskfile.yaml",
      "taskfile.yaml",
      "Taskfile.dist.yml",
      "Taskfile.dist.yaml",
    ],
  ],
];
/** Programs that take a word for a script, a folder with one, or a script's name without its ending. */
const interpreter = /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|pypy[\d.]*)(?:\.exe)?$/i;
/** Programs that run what a package.json, or the folder of programs beside it, says. */
const packageRunner = /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx)(?:\.cmd|\.exe)?$/i;
const endings = [".js", ".mjs", ".cjs", ".json", ".ts", ".mts", ".cts", ".py"];
const entries = [
  "index.js",
  "index.mjs",
  "index.cjs",
  "index.json",
  "index.ts",
  "index.mts",
  "index.cts",
  "__main__.py",
  "__init__.py",
];

/** What a command runs without naming it. Absolute paths in byte order, each once. */
export interface EntryFiles {
  readonly files: readonly string[];
  /** Every package.json of which only what it runs counts. */
  readonly packages: readonly string[];
}
/**
 * Files that a command plainly runs without naming them: the entry of a folder (`node ./pkg`), a script without its
 * ending (`node server`), a module (`python -m pkg`), what a package runner reads (`npm run x`: the nearest package.json;
 * `npx x`: `node_modules/.bin/x`), and the file of recipes of make, just and task.
 */
export function entryFiles(command: readonly string[], place: NamedIn): EntryFiles {
  const found: Found = { files: new Set(), packages: new Set() };
  for (const words of [command, ...command.map(splitWords).filter((list) => list.length > 1)])
    words.forEach((word, index) => {
      const program = path.basename(word.replaceAll("\\", "/"));
      const rest = words.slice(index + 1);
      if (interpreter.test(program)) addScript(found, rest, place);
      if (packageRunner.test(program)) addPackage(found, rest, place);
      for (const [runs, files] of recipes)
        if (runs.test(program)) for (const file of files) addFile(found.files, file, place);
    });
  return { files: [...found.files].sort(), packages: [...found.packages].sort() };
}
interface Found {
  readonly files: Set<string>;
  readonly packages: Set<string>;
}

/** Up to the first word that is neither a flag nor can be a flag's value; which flags take one nobody knows. */
function addScript(found: Found, words: readonly string[], place: NamedIn): void {
  let before = "";
  for (const word of words) {
    if (before === "-m") return addModule(found, word, place);
    if (!word.startsWith("-")) addRunnable(found, word, place);
    if (!word.startsWith("-") && !before.startsWith("-")) return;
    before = word;
  }
}
function addModule({ files }: Found, module: string, place: NamedIn): void {
  const at = module.replaceAll(".", "/");
  for (const name of [`${at}.py`, `${at}/__main__.py`, `${at}/__init__.py`]) addFile(files, name, place);
}
function addRunnable(found: Found, word: string, place: NamedIn): void {
  if (word.includes("\0")) return;
  const at = path.resolve(place.cwd, word);
  const stats = statOrNone(at);
  if (stats === undefined) for (const ending of endings) addFile(found.files, at + ending, place);
  if (!stats?.isDirectory()) return;
  const manifest = path.join(at, "package.json");
  addFile(found.packages, manifest, place);
  for (const name of entries) addFile(found.files, path.join(at, name), place);
  const main = mainOf(manifest);
  for (const ending of main === undefined ? [] : ["", ...endings, "/index.js"])
    addFile(found.files, path.resolve(at, main ?? "") + ending, place);
}
function addPackage(found: Found, words: readonly string[], place: NamedIn): void {
  for (const word of words) if (/^\.{0,2}[/\\]|^\.{1,2}$/.test(word)) addRunnable(found, word, place);
  for (let folder = place.cwd; isInside(place.workspace, folder); folder = path.dirname(folder)) {
    for (const word of words)
      if (/^[\w.-]+$/.test(word))
        addFile(found.files, path.join(folder, "node_modules", ".bin", word), place);
    const manifest = path.join(folder, "package.json");
    if (statOrNone(manifest) === undefined) continue;
    addFile(found.packages, manifest, place);
    return;
  }
}

/** Variables that list folders in which programs and modules are searched. */
const searchList = /^(?:path|pythonpath|node_path)$/i;
/**
 * Everything that a command with its declared variables names or plainly runs, in its folder and in the folders of the
 * workspace that it names. `argv[0]` is looked up along the declared PATH here; from where else it is taken, the caller
 * knows.
 */
export function broughtFiles(
  argv: readonly string[],
  variables: readonly (readonly [name: string, text: string])[],
  place: NamedIn,
): EntryFiles {
  const words = commandWords([...argv.slice(1), ...variables.map(([, text]) => text)]);
  const lists = variables.flatMap(([name, text]) => (searchList.test(name) ? [text] : []));
  const entry = entryFiles(argv, place);
  const files = [...argumentFiles(words, place), ...entry.files];
  const packages = [...entry.packages];
  const anywhere = programNames([...argv.slice(0, 1), ...words]);
  for (const cwd of namedFolders(words, lists, place)) {
    const there = { ...place, cwd };
    const more = entryFiles(argv, there);
    files.push(...argumentFiles(anywhere, there), ...more.files);
    packages.push(...more.packages);
  }
  return { files, packages };
}
const programNames = (words: readonly string[]): string[] =>
  process.platform === "win32"
    ? words.flatMap((word) => [word, ...[".exe", ".cmd", ".bat", ".com"].map((ending) => word + ending)])
    : [...words];

function addFile(found: Set<string>, text: string, { cwd, workspace }: NamedIn): void {
  if (text === "" || text.includes("\0")) return;
  const file = path.resolve(cwd, text);
  const links = linksOn(file, workspace);
  const stats = statOrNone(file);
  if (stats === undefined ? links.length === 0 : !stats.isFile()) return;
  for (const link of links) found.add(link);
  if (stats?.isFile() && isInside(workspace, realPath(file))) found.add(file);
}
const mostLinks = 40;
/** The links in `root` (a real path) that are followed on the way to a file, as absolute paths. */
function linksOn(file: string, root: string): string[] {
  const found: string[] = [];
  let real = path.parse(file).root;
  const rest = parts(file.slice(real.length));
  while (rest.length > 0 && found.length < mostLinks) {
    const name = rest.pop() ?? "";
    const next = name === ".." ? path.dirname(real) : path.join(real, name);
    const target = name === ".." ? undefined : linkTargetOrNone(next);
    if (target === undefined) {
      real = next;
      continue;
    }
    if (isInside(root, next)) found.push(next);
    else {
      // The way down to the workspace may be a link itself; it is none of the workspace's.
      real = realOrGiven(next);
      continue;
    }
    if (path.isAbsolute(target)) real = path.parse(target).root;
    rest.push(...parts(target.slice(path.parse(target).root.length)));
  }
  return found;
}
const parts = (relative: string): string[] =>
  relative
    .split(/[\\/]/)
    .filter((name) => name !== "" && name !== ".")
    .reverse();
