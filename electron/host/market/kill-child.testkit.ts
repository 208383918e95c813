import { marketIn, worldIn } from "./market.testkit.ts";

/** Installs in a process of its own, which kills itself when it comes to a step: `ROOT ID SCOPE VARIABLES STEP`. */
const [root = "", id = "", scope = "", variables = "{}", fatal = ""] = process.argv.slice(2);

async function main(): Promise<void> {
  const { market } = await marketIn(worldIn(root));
  const plan = await market.plan(id, scope === "user" ? "user" : "workspace");
  const die = (step: string): void => {
    if (step === fatal) process.kill(process.pid, "SIGKILL");
  };
  const given = JSON.parse(variables) as Record<string, string>;
  await market.install({ plan, variables: given }, die, new AbortController().signal);
}
void main();
