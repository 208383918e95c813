import { spawn } from "node:child_process";

/**
 * Runs a program to its end; throws where it fails, so that no figure comes from a broken run.
 * @param {readonly string[]} args of node @param {NodeJS.ProcessEnv} env @param {string} cwd
 * @returns {Promise<{started: number, stdout: string}>} `started`: performance.now() right before the start
 */
export function runNode(args, env, cwd) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0
        ? resolve({ started, stdout })
        : reject(new Error(`${args.join(" ")} ended with ${code}: ${stderr}`)),
    );
  });
}
