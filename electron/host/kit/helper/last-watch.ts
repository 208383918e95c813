import type { ChildProcess } from "node:child_process";
import { childEnvironment } from "../environment.ts";
import { launch } from "../launch.ts";
import { runVariable } from "../process-group.ts";

/**
 * Reads the list of groups, a line for each time that it changes, until its input ends, which the end of the host does
 * alone. Then all of the last list ends, and what carries the run's name ($1) and left its group. Words of POSIX alone.
 */
const script = `
trap '' HUP INT TERM
groups=
while read -r line; do groups=$line; done
tell() { for group in $groups; do kill "-$1" "-$group"; done; }
tell TERM
sleep 1
tell KILL
if [ -d /proc/self ]; then
  for file in $(grep -Fls "${runVariable}=$1" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -KILL "\${pid%/environ}"
  done
else
  ps -axwwE -o pid=,command= | while read -r pid command; do
    case " $command" in *" ${runVariable}=$1"*) kill -KILL "$pid" ;; esac
  done
fi`;

/**
 * A shell that ends what a host had started when host and helper are killed at once: it belongs to nobody who would take
 * it with them. Beside a helper that may end with the host, and only there. POSIX only.
 */
export class LastWatch {
  readonly #shell: Promise<ChildProcess | undefined>;

  /** @param run the beginning of the run names of all children @param report hears that there is no shell to be had */
  constructor(run: string, env: NodeJS.ProcessEnv, report: (text: string) => void) {
    this.#shell = launch(
      { command: "/bin/sh", args: ["-c", script, "nacre-last-watch", run] },
      { cwd: "/", env: childEnvironment(env), stdio: ["pipe", "ignore", "ignore"], detached: true },
    ).then(
      (shell) => {
        shell.unref();
        // One that is gone hears nothing more: the helper and the next start are what is left.
        shell.stdin?.on("error", () => undefined);
        return shell;
      },
      (error: unknown) => {
        report(`no shell watches over what runs here: ${String(error)}`);
        return undefined;
      },
    );
  }
  /** Takes the groups that are to end with the host from now on. */
  tell(groups: readonly number[]): void {
    void this.#shell.then((shell) => shell?.stdin?.write(`${groups.join(" ")}\n`));
  }
  /** Resolves when it is gone. Ends nothing. */
  async stop(): Promise<void> {
    const shell = await this.#shell;
    if (!shell || shell.exitCode !== null || shell.signalCode !== null) return;
    const gone = new Promise((resolve) => shell.once("exit", resolve));
    shell.kill("SIGKILL");
    await gone;
  }
}
