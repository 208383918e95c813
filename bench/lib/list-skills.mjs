// Lists the skills of a workspace as the app does: node bench/lib/list-skills.mjs ROOM WORKSPACE HOME [save]
// Prints ms, wall and CPU. With `save` the index is kept for the next run.
import { createListing, timed } from "./skill-listing.mjs";

const [room = "", workspace = "", home = "", save] = process.argv.slice(2);
const skills = createListing(room, workspace, home);
const figure = await timed(() => skills.list());
if (save === "save") await skills.save();
console.log(JSON.stringify(figure));
