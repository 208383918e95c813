import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, type World } from "../config/world.testkit.ts";
import { boundNames, createSocketFinder, mountPoints } from "./host-sockets.ts";

let world: World;
beforeEach(() => {
  world = createWorld("/var/tmp");
});
afterEach(() => world.remove());

test("names are read as the kernel writes them: with blanks, relative ones apart, abstract ones not at all", () => {
  const text = `Num       RefCount Protocol Flags    Type St Inode Path
00000000cee33b0b: 00000002 00000000 00010000 0001 01 1043866 /var/tmp/a b.sock
00000000bf9d9fcd: 00000003 00000000 00000000 0001 03   111
00000000bf9d9fce: 00000002 00000000 00010000 0001 01 11211 @/tmp/.X11-unix/X0
00000000bf9d9fcf: 00000002 00000000 00010000 0005 01     9 run/rel.sock
00000000cee33b0b: 00000003 00000000 00000000 0001 03 1043867 /var/tmp/a b.sock
`;
  expect(boundNames(text)).toEqual({ absolute: ["/var/tmp/a b.sock"], relative: ["run/rel.sock"] });
});
test("places of mounts are read with their escapes undone", () => {
  const text =
    "29 24 0:26 / /dev/shm rw - tmpfs tmpfs rw\n30 1 0:9 /d.sock /srv/a\\040b\\134c rw - ext4 x rw\n";
  expect(mountPoints(text)).toEqual(["/dev/shm", "/srv/a b\\c"]);
});
test.skipIf(process.platform !== "linux")(
  "what listens is found by its real path, new at each look; what nobody listens on is not, nor what lies elsewhere",
  async () => {
    const file = path.join(world.top, "real", "host.sock");
    fs.mkdirSync(path.dirname(file));
    fs.symlinkSync("real", path.join(world.top, "link"));
    const find = createSocketFinder();
    expect(find([])).not.toContain(file);
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(path.join(world.top, "link", "host.sock"), resolve));
    expect(find([])).toContain(file);
    expect(find([world.top])).not.toContain(file);
    await new Promise((resolve) => server.close(resolve));
    expect(find([])).not.toContain(file);
  },
);
