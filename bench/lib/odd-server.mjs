// A server as people complain of them: node odd-server.mjs slow|flood. `slow` needs 2 s before it hears anything; `flood`
// answers, and fills its standard output and error with garbage for 4 s once it is ready.
import process from "node:process";

const [mode] = process.argv.slice(2);
const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
if (mode === "slow") await wait(2_000);

/** @param {object} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const garbage = Buffer.from(`${"no JSON, and nothing that anybody needs to read: ".repeat(20)}\n`.repeat(64));
/** As much as is taken. @param {NodeJS.WriteStream} stream @param {number} until */
async function flood(stream, until) {
  while (Date.now() < until)
    if (stream.write(garbage)) await new Promise((resolve) => setImmediate(resolve));
    else await new Promise((resolve) => stream.once("drain", () => resolve(undefined)));
}
/** @param {{id?: number, method?: string, params?: {protocolVersion?: string}}} message */
function answer({ id, method, params }) {
  if (id === undefined) return;
  if (method === "initialize")
    send({
      id,
      result: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "odd", version: "1" },
      },
    });
  else if (method === "tools/list") {
    send({ id, result: { tools: [{ name: "echo", inputSchema: { type: "object" } }] } });
    if (mode === "flood")
      for (const stream of [process.stdout, process.stderr]) void flood(stream, Date.now() + 4_000);
  } else send({ id, result: { content: [{ type: "text", text: "" }] } });
}
let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) answer(JSON.parse(line));
});
process.stdin.on("end", () => process.exit(0));
