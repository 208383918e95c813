import { expect, test } from "vitest";
import { parseStarts, startsQuestion, stillRunning } from "./process-starts.ts";
import { listedWith } from "./process-table.ts";

const at = Date.parse("2026-11-30T10:15:20.000Z");

test("what ps prints on macOS is read: a pid and a date", () => {
  const text = "  501 Mon Nov 30 10:15:20 2026    \n    7 Mon Nov 30 10:15:21 2026\nrubbish\n";
  expect([...parseStarts(text)]).toEqual([
    [501, Date.parse("Mon Nov 30 10:15:20 2026")],
    [7, Date.parse("Mon Nov 30 10:15:21 2026")],
  ]);
});
test("Windows is asked by argument vector, and its dates are read", () => {
  const { command, args } = startsQuestion([12, 34], "win32");
  expect(command).toBe("powershell.exe");
  expect(args.slice(0, 3)).toEqual(["-NoProfile", "-NonInteractive", "-Command"]);
  expect(args[3]).toContain('-Filter "ProcessId=12 OR ProcessId=34"');
  expect(parseStarts("12 2026-11-30T10:15:20.1234567Z\r\n").get(12)).toBe(at + 123);
});
test.each(["darwin", "win32"] as const)(
  "on %s a number that was given anew is another process",
  (platform) => {
    const answer = `12 ${new Date(at + 900).toISOString()}\n34 ${new Date(at + 60_000).toISOString()}\n`;
    const children = [12, 34, 56].map((pid) => ({ pid, start: "", at }));
    expect(stillRunning(children, () => answer, platform)).toEqual([12]);
  },
);
test("a system that does not answer gives nothing to end", () => {
  expect(stillRunning([{ pid: 12, start: "", at }], () => "", "darwin")).toEqual([]);
});
test("macOS shows environments behind the commands", () => {
  const listed =
    "  12 /bin/sleep 9 HOME=/x NACRE_RUN_ID=1-a-b.3. LANG=C\n13 sh NACRE_RUN_ID=2-a-b.1.\n14 other\n";
  expect(listedWith(listed, "NACRE_RUN_ID", "1-a-b.")).toEqual([12]);
});
