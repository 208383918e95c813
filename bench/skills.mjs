// What thousands of skills cost, beside the least that looking at their files costs.
// node bench/skills.mjs [--rounds N] [--sample] [--part NAME]
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { firstRequest } from "./lib/first-request.mjs";
import { interleave, median, report, rounds, scratch } from "./lib/measure.mjs";
import { startModel } from "./lib/model.mjs";
import { runNode } from "./lib/run.mjs";
import { seed, skillsFolder, writeLibrary } from "./lib/skill-library.mjs";
import { buildSkillRoom } from "./lib/skill-room.mjs";
import { delayMeter, memoryMeter, openWindow, serve } from "./lib/window.mjs";
import { environment, root } from "./lib/worlds.mjs";

const isSample = process.argv.includes("--sample");
const share = isSample ? 10 : 1;
const count = 5_000 / share;
const manyFiles = 50_000 / share;
const folder = scratch();
console.log(`seed ${seed} · ${count} skills · one of them with ${manyFiles} files`);
const room = await buildSkillRoom(folder);

/** @typedef {{workspace: string, home: string, count: number}} World */
/** @param {string} name @param {number} size @returns {World} */
function world(name, size) {
  const workspace = path.join(folder, name);
  mkdirSync(workspace);
  writeLibrary(workspace, size);
  return { workspace, home: path.join(folder, `${name}-home`), count: size };
}
/**
 * One run in a process of its own.
 * @param {string} program in bench/lib @param {readonly string[]} args
 * @returns {Promise<{wall: number, cpu: number, count: number}>} ms
 */
async function measured(program, args) {
  const { stdout } = await runNode([path.join(root, "bench/lib", program), ...args], process.env, folder);
  return JSON.parse(stdout);
}
/** @param {World} where @param {"read" | "stat"} what */
const floorOf = ({ workspace }, what) => measured("skills-floor.mjs", [what, workspace]);
/** @param {World} where */
async function cold({ workspace, home }) {
  rmSync(home, { recursive: true, force: true });
  return measured("list-skills.mjs", [room, workspace, home, "save"]);
}
/** @param {World} where */
const warm = ({ workspace, home }) => measured("list-skills.mjs", [room, workspace, home]);

/**
 * Wall time decides; CPU time, of all threads, is told beside it, as other work on the machine touches it less.
 * @param {string} title @param {number} goal
 * @param {() => Promise<{wall: number, cpu: number}>} floor @param {() => Promise<{wall: number, cpu: number}>} nacre
 */
async function ratio(title, goal, floor, nacre) {
  /** @type {{floor: number[], nacre: number[]}} */
  const cpu = { floor: [], nacre: [] };
  /** @param {"floor" | "nacre"} name @param {() => Promise<{wall: number, cpu: number}>} run */
  const one = (name, run) => async () => {
    const figure = await run();
    cpu[name].push(figure.cpu);
    return figure.wall;
  };
  const wall = await interleave({ floor: one("floor", floor), nacre: one("nacre", nacre) }, rounds());
  const held = report(title, wall, "ms", { ratio: goal });
  report("  the same in CPU time", cpu, "ms", { ratio: goal });
  return held;
}

const library = world("library", count);
/** @type {boolean[]} */
const held = [];
/** In an app that runs, where the engine has learnt both sides; beside it the first listing of a process. */
async function listing() {
  const { workspace } = library;
  const home = path.join(folder, "rounds-home");
  const script = path.join(root, "bench/lib/skill-rounds.mjs");
  const { stdout } = await runNode(
    ["--expose-gc", script, room, workspace, home, String(rounds())],
    process.env,
    folder,
  );
  /** @type {Record<string, {wall: number, cpu: number}[]>} */
  const figures = JSON.parse(stdout);
  for (const [title, goal, floor, nacre] of /** @type {const} */ ([
    ["cold listing beside readdir, read and gray-matter", 1.3, "read", "cold"],
    ["warm listing beside one stat each", 2.5, "stat", "warm"],
  ])) {
    const [least = [], most = []] = [figures[floor], figures[nacre]];
    /** @param {"wall" | "cpu"} what */
    const both = (what) => ({ floor: least.map((one) => one[what]), nacre: most.map((one) => one[what]) });
    held.push(report(title, both("wall"), "ms", { ratio: goal }));
    report("  the same in CPU time", both("cpu"), "ms", { ratio: goal });
  }
  console.log("each in a process of its own, with what the engine learns on the way:");
  await ratio(
    "  cold listing beside readdir, read and gray-matter",
    1.3,
    () => floorOf(library, "read"),
    () => cold(library),
  );
  await ratio(
    "  warm listing beside one stat each",
    2.5,
    () => floorOf(library, "stat"),
    () => warm(library),
  );
}

/** Linear: what one skill costs stays the same, give or take what a start costs by itself. */
async function linear() {
  const sizes = [count / 4, count / 2, count, 2 * count];
  const worlds = sizes.map((size) => (size === count ? library : world(`library-${size}`, size)));
  for (const [title, run] of /** @type {const} */ ([
    ["cold", cold],
    ["warm", warm],
  ])) {
    const runs = Object.fromEntries(
      worlds.map((where, at) => [String(sizes[at]), async () => (await run(where)).wall]),
    );
    const figures = await interleave(runs, rounds());
    const costs = sizes.map((size) => (1000 * median(figures[String(size)] ?? [])) / size);
    const [least = 0, most = 0] = [costs[0], costs.at(-1)];
    const isHeld = most <= 1.25 * least;
    const parts = sizes.map((size, at) => `${size}: ${costs[at]?.toFixed(1)} µs`);
    console.log(
      `${title} listing, cost of one skill: ${parts.join(" · ")} · goal the last ≤ 1.25 × the first · ${isHeld ? "held" : "MISSED"}`,
    );
    held.push(isHeld);
  }
}

/** Files that belong to a skill are nobody's business until it is loaded. */
function heavyWorld() {
  const where = { workspace: path.join(folder, "heavy"), home: path.join(folder, "heavy-home"), count };
  if (existsSync(where.workspace)) return where;
  world("heavy", count);
  const references = path.join(where.workspace, skillsFolder, "skill-00007", "references");
  mkdirSync(references);
  for (let i = 0; i < manyFiles; i++) writeFileSync(path.join(references, `${i}.md`), "A line.\n");
  return where;
}
async function heavy() {
  const many = heavyWorld();
  for (const [title, run] of /** @type {const} */ ([
    ["cold", cold],
    ["warm", warm],
  ]))
    held.push(
      await ratio(
        `${title} listing with ${manyFiles} files in one skill beside the same without`,
        1.15,
        () => run(library),
        () => run(many),
      ),
    );
}

const model = await startModel(() => undefined);
/** @param {World} where @param {Record<string, string>} [more] */
const environmentOf = ({ home }, more) => ({ ...environment(home, model.url), ...more });
/** Files that a process holds open, and watches of the system among them. Linux only. @param {number} pid */
function openFiles(pid) {
  const descriptors = readdirSync(`/proc/${pid}/fd`);
  const watches = descriptors.flatMap((descriptor) => {
    try {
      const info = readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, "utf8");
      return info.split("\n").filter((line) => line.startsWith("inotify"));
    } catch {
      // It was closed while we looked.
      return [];
    }
  });
  return { descriptors: descriptors.length, watches: watches.length };
}
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Once it does not change any more. @param {number} pid */
async function settledFiles(pid) {
  for (let before = openFiles(pid); ;) {
    await pause(1000);
    const now = openFiles(pid);
    if (now.watches === before.watches && now.descriptors === before.descriptors) return now;
    before = now;
  }
}
/** @param {World} where */
async function watching(where) {
  const served = await serve(where.workspace, environmentOf(where));
  const window = await openWindow(served.url);
  await window.call("topic.subscribe", { topic: "workspace" });
  const files = await settledFiles(served.pid);
  window.close();
  await served.stop();
  return files;
}
async function watches() {
  if (process.platform !== "linux") return;
  const [plain, many] = [await watching(library), await watching(heavyWorld())];
  const isHeld = plain.watches === many.watches && plain.descriptors === many.descriptors;
  console.log(
    `watches and open files: ${plain.watches} and ${plain.descriptors} · with ${manyFiles} files in one skill ${many.watches} and ${many.descriptors} · goal the same · ${isHeld ? "held" : "MISSED"}`,
  );
  held.push(isHeld);
}

/** A folder for skills, and none in it. */
function emptyWorld() {
  const where = { workspace: path.join(folder, "empty"), home: path.join(folder, "empty-home"), count: 0 };
  mkdirSync(path.join(where.workspace, skillsFolder), { recursive: true });
  return where;
}
/** Of the host with a window at it, after a full collection. @param {World} where */
async function memoryOf(where) {
  const meter = memoryMeter(where.workspace);
  const served = await serve(where.workspace, environmentOf(where, meter.env), meter.nodeArgs);
  const window = await openWindow(served.url);
  await window.call("topic.subscribe", { topic: "workspace" });
  await pause(isSample ? 500 : 3000);
  const figure = await meter.read(served);
  window.close();
  await served.stop();
  return figure;
}
async function memory() {
  const empty = emptyWorld();
  /** @type {{floor: number[], nacre: number[]}} */
  const rss = { floor: [], nacre: [] };
  /** @param {"floor" | "nacre"} name @param {World} where */
  const one = (name, where) => async () => {
    const figure = await memoryOf(where);
    rss[name].push(figure.rss);
    return figure.heap;
  };
  const runs = { floor: one("floor", empty), nacre: one("nacre", library) };
  const heap = await interleave(runs, isSample ? 1 : 7);
  held.push(report("memory of the host, heap and buffers", heap, "MB", { more: 40 }));
  report("  the same as resident set", rss, "MB", { more: 40 });
}

/**
 * The longest that the host's thread is held.
 * @param {World} where
 * @param {{withIndex: boolean, from: "look" | "address" | "arrival"}} how from the host's first look at the skills on;
 * from its address on, when a window comes; from the moment on in which all skills arrive in a host that had none
 */
async function longestBlock(where, { withIndex, from }) {
  if (!withIndex) rmSync(path.join(where.home, "cache"), { recursive: true, force: true });
  const skills = path.join(where.workspace, skillsFolder);
  const away = `${skills}-away`;
  const meter = delayMeter(where.workspace, from === "look" ? skills : undefined);
  if (from === "arrival") renameSync(skills, away);
  const served = await serve(where.workspace, environmentOf(where, meter.env), meter.nodeArgs);
  if (from === "address") served.tell("SIGUSR2");
  const window = await openWindow(served.url);
  await window.call("topic.subscribe", { topic: "workspace" });
  await settledFiles(served.pid);
  /** @param {(event: {type: string, at: number, rows: {name: string}[], total: number}) => boolean} isIt */
  const told = (isIt) => window.hear(({ event }) => event?.type === "skills" && isIt(event));
  if (from === "arrival") {
    served.tell("SIGUSR2");
    const all = told(({ at, rows, total }) => total >= where.count && at + rows.length === total);
    renameSync(away, skills);
    await all;
    await settledFiles(served.pid);
  }
  if (from !== "look") {
    const heard = told(({ rows }) => rows.some(({ name }) => name === "skill-hot"));
    const hot = path.join(where.workspace, "skill-hot");
    mkdirSync(hot);
    writeFileSync(path.join(hot, "SKILL.md"), "---\nname: skill-hot\ndescription: Is new.\n---\nBody.\n");
    renameSync(hot, path.join(skills, "skill-hot"));
    await heard;
    await pause(1000);
  }
  served.tell("SIGUSR2");
  window.close();
  await served.stop();
  rmSync(path.join(skills, "skill-hot"), { recursive: true, force: true });
  return meter.read();
}
async function blocks() {
  const runs = isSample ? 1 : 7;
  for (const withIndex of [false, true]) {
    const kind = withIndex ? "warm" : "cold";
    for (const [title, from] of /** @type {const} */ ([
      [`after a ${kind} start, a window, a new skill`, "address"],
      [`all skills arrive (${kind}), a new skill`, "arrival"],
    ]))
      held.push(
        report(
          `longest block of the host's thread, ${title}`,
          await interleave({ nacre: () => longestBlock(library, { withIndex, from }) }, runs),
          "ms",
          { below: 50 },
        ),
      );
  }
  const empty = emptyWorld();
  const starts = await interleave(
    {
      floor: () => longestBlock(empty, { withIndex: true, from: "look" }),
      nacre: () => longestBlock(library, { withIndex: true, from: "look" }),
    },
    runs,
  );
  const [none, all] = [median(starts["floor"] ?? []), median(starts["nacre"] ?? [])];
  console.log(
    `  during the start itself (programs are tried out and started): ${all.toFixed(1)} ms, without skills ${none.toFixed(1)} ms`,
  );
}
const start = async () =>
  held.push(await firstRequest("nacre run to its first request, warm", { ...library, goal: 2 }));

const parts = { listing, linear, heavy, watches, memory, blocks, start };
const wanted = process.argv.indexOf("--part");
for (const [name, part] of Object.entries(parts))
  if (wanted < 0 || process.argv[wanted + 1] === name) await part();
await model.stop();
process.exitCode = held.every(Boolean) ? 0 : 1;
