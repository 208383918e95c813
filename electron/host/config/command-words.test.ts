import { expect, it } from "vitest";
import { commandWords } from "./command-words.ts";

it.each([
  ["npx", ["npx"]],
  ["npx -y  @scope/server --flag", ["npx", "-y", "@scope/server", "--flag"]],
  [`uvx tool --name "two words" 'and more'`, ["uvx", "tool", "--name", "two words", "and more"]],
  ["${NODE:-my node} server.js", ["${NODE:-my node}", "server.js"]],
  [`"C:\\Program Files\\nodejs\\node.exe" server.js`, ["C:\\Program Files\\nodejs\\node.exe", "server.js"]],
  ["/opt/my tools/server", ["/opt/my tools/server"]],
  ["C:\\Program Files\\server.exe", ["C:\\Program Files\\server.exe"]],
  ["./bin/a server", ["./bin/a server"]],
  ["  ", ["  "]],
  ["it's one", ["it's", "one"]],
])("%s is the program and its arguments", (command, parts) => {
  expect(commandWords(command)).toEqual(parts);
});
