import type * as z from "zod/mini";
import { appContract } from "./app.ts";
import { chatContract } from "./chat.ts";
import { extensionsContract } from "./extensions.ts";
import { marketContract } from "./market.ts";
import { mcpAppContract } from "./mcp-app.ts";
import { mcpContract } from "./mcp.ts";
import type { Method } from "./method.ts";
import { policyContract } from "./policy.ts";
import { skillsContract } from "./skills.ts";

/** Every method that a window may call. The door (`electron/host/rpc.ts`) validates inputs by it. */
export const contract = {
  ...appContract,
  ...chatContract,
  ...policyContract,
  ...extensionsContract,
  ...mcpContract,
  ...mcpAppContract,
  ...skillsContract,
  ...marketContract,
} as const;
type Contract = typeof contract;
export type MethodName = keyof Contract;
export type Input<M extends MethodName> = z.infer<Contract[M]["input"]>;
export type Output<M extends MethodName> = Contract[M] extends Method<infer _I, infer O> ? O : never;
/** What the host implements. */
export type Handlers = {
  readonly [M in MethodName]: (input: Input<M>, signal: AbortSignal) => Output<M> | Promise<Output<M>>;
};
