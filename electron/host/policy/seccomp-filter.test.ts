import { describe, expect, test } from "vitest";
import { seccompFilter } from "./seccomp-filter.ts";

/** What the kernel would answer (seccomp(2)): runs the bytes as its machine does. */
function ask(filter: Uint8Array, architecture: number, call: number, ...given: number[]): "allow" | "EPERM" {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call >>> 0, 0);
  data.writeUInt32LE(architecture, 4);
  given.forEach((value, index) => data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), 16 + 8 * index));
  const program = Buffer.from(filter);
  expect(program.length % 8).toBe(0);
  let held = 0;
  for (let at = 0; at < program.length / 8; at++) {
    const code = program.readUInt16LE(8 * at);
    const value = program.readUInt32LE(8 * at + 4);
    const jump = (so: boolean): number => program.readUInt8(8 * at + (so ? 2 : 3));
    if (code === 0x20) held = data.readUInt32LE(value);
    else if (code === 0x54) held = (held & value) >>> 0;
    else if (code === 0x15) at += jump(held === value);
    else if (code === 0x35) at += jump(held >= value);
    else if (code === 0x06) {
      expect([0x7fff0000, 0x00050001]).toContain(value);
      return value === 0x7fff0000 ? "allow" : "EPERM";
    } else throw new Error(`no such instruction: ${code}`);
  }
  throw new Error("it ends without an answer");
}
const kinds: readonly {
  name: string;
  node: NodeJS.Architecture;
  architecture: number;
  socket: number;
  pair: number;
  keys: number[];
}[] = [
  { name: "x86_64", node: "x64", architecture: 0xc000003e, socket: 41, pair: 53, keys: [248, 249, 250] },
  { name: "i386", node: "x64", architecture: 0x40000003, socket: 359, pair: 360, keys: [286, 287, 288] },
  { name: "aarch64", node: "arm64", architecture: 0xc00000b7, socket: 198, pair: 199, keys: [217, 218, 219] },
  { name: "arm", node: "arm64", architecture: 0x40000028, socket: 281, pair: 288, keys: [309, 310, 311] },
];
const [stream, datagram, raw, reliable, packets] = [1, 2, 3, 4, 5];
const flags = 0o2004000;

describe.each(kinds)("a program for $name", ({ node, architecture, socket, pair, keys }) => {
  const filter = seccompFilter(node) ?? new Uint8Array();
  const asked = (call: number, ...given: number[]): string => ask(filter, architecture, call, ...given);

  test("makes sockets of the Internet and of netlink", () => {
    for (const family of [2, 10, 16]) expect(asked(socket, family, stream | flags, 0)).toBe("allow");
  });
  test("makes no Unix socket, none to a virtual machine, and none of a family nobody needs", () => {
    for (const family of [0, 1, 17, 30, 31, 38, 40, 42]) {
      expect(asked(socket, family, stream, 0)).toBe("EPERM");
      // The kernel takes the lower half alone.
      expect(asked(socket, 2 ** 32 + family, stream, 0)).toBe("EPERM");
    }
  });
  test("makes pairs of connected sockets, but no pair that could send elsewhere", () => {
    for (const type of [stream, packets]) {
      expect(asked(pair, 1, type, 0)).toBe("allow");
      expect(asked(pair, 1, type | flags, 0)).toBe("allow");
    }
    for (const type of [datagram, raw, reliable]) expect(asked(pair, 1, type | flags, 0)).toBe("EPERM");
    expect(asked(pair, 30, stream, 0)).toBe("EPERM");
  });
  test("has no ring that makes sockets past the filter, and no key ring", () => {
    for (const call of [425, ...keys]) expect(asked(call, 1)).toBe("EPERM");
  });
  test("makes every other call", () => {
    for (const call of [0, 1, 2, 20, 42, 56, 57, 59, 63, 200, 221, 281, 435])
      if (![socket, pair, ...keys].includes(call)) expect(asked(call, 1, datagram)).toBe("allow");
  });
});

test("socketcall, whose arguments no filter sees, is refused, and all of x32", () => {
  const filter = seccompFilter("x64") ?? new Uint8Array();
  expect(ask(filter, 0x40000003, 102, 1)).toBe("EPERM");
  for (const call of [41, 0, 1, 425]) expect(ask(filter, 0xc000003e, 0x40000000 + call, 2)).toBe("EPERM");
});
test("a kind of program that is not known makes no call at all", () => {
  for (const node of ["x64", "arm64"] as const)
    for (const call of [0, 41, 64])
      expect(ask(seccompFilter(node) ?? new Uint8Array(), 0x80000016, call)).toBe("EPERM");
});
test("there is none for other machines", () => {
  for (const node of ["ia32", "arm", "riscv64", "s390x", "ppc64"] as const)
    expect(seccompFilter(node)).toBeUndefined();
});
