// What a listing of skills costs at least: node bench/lib/skills-floor.mjs read|stat WORKSPACE. Prints ms, wall and CPU.
import { readEach, statEach, timed } from "./skill-listing.mjs";

const [what, workspace = "."] = process.argv.slice(2);
console.log(JSON.stringify(await timed(() => (what === "stat" ? statEach(workspace) : readEach(workspace)))));
