import { expect, test } from "vitest";
import { run } from "../kit/process.ts";
import { isAtLeast, Requirements, versionIn } from "./requirements.ts";

const here = (now = () => 0): Requirements & { asked: string[] } => {
  const asked: string[] = [];
  const requirements = new Requirements({
    now,
    run: (command, args, timeoutMs) => {
      asked.push(command);
      return run({ command, args, env: process.env }, { timeoutMs });
    },
  });
  return Object.assign(requirements, { asked });
};

test("this Node is found with its version, and judged by it", async () => {
  const [any, old, future] = await here().check([
    { kind: "node" },
    { kind: "node", minVersion: "18" },
    { kind: "node", minVersion: "99.1", hint: "wait" },
  ]);
  expect(any).toEqual({ kind: "node", ok: true, found: process.versions.node });
  expect(old).toEqual({ kind: "node", ok: true, need: ">=18", found: process.versions.node });
  expect(future).toEqual({
    kind: "node",
    ok: false,
    need: ">=99.1",
    found: process.versions.node,
    hint: "wait",
  });
});
test("a program that is not here is missing, with its hint", async () => {
  const nowhere = new Requirements({
    now: () => 0,
    run: (command, args) => run({ command: `${command}-not-here`, args, env: process.env }),
  });
  expect(await nowhere.check([{ kind: "docker", hint: "install Docker" }])).toEqual([
    { kind: "docker", ok: false, hint: "install Docker" },
  ]);
});
test("a kind that is not known is never run", async () => {
  const requirements = here();
  expect(await requirements.check([{ kind: "rm" }, { kind: "toString" }])).toEqual([
    { kind: "rm", ok: true },
    { kind: "toString", ok: true },
  ]);
  expect(requirements.asked).toEqual([]);
});
test("each program is asked once, and again after a while", async () => {
  let now = 0;
  const requirements = here(() => now);
  await Promise.all([requirements.check([{ kind: "node" }]), requirements.check([{ kind: "node" }])]);
  expect(requirements.asked).toEqual(["node"]);
  now = 60_000;
  await requirements.check([{ kind: "node" }]);
  expect(requirements.asked).toEqual(["node", "node"]);
});
test.each([
  ["v20.20.2", "20.20.2"],
  ["Python 3.11.2", "3.11.2"],
  ["uvx 0.5.1 (abc 2024-11-08)", "0.5.1"],
  ["Docker version 27.3.1, build ce12230", "27.3.1"],
  ["git version 2.39.5", "2.39.5"],
  ["no version", undefined],
])("%s is %s", (output, version) => {
  expect(versionIn(output)).toBe(version);
});
test.each([
  ["20.20.2", "20", true],
  ["20.20.2", "20.20.2", true],
  ["20.9", "20.10", false],
  ["3.11", "3.11.0", true],
  ["v1.0.0-beta.1", "1.0", true],
  ["9", "10", false],
])("%s against %s: %s", (version, minimum, ok) => {
  expect(isAtLeast(version, minimum)).toBe(ok);
});
