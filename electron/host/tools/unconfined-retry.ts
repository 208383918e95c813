import { sha256 } from "../kit/files.ts";
import type { ApprovalRequest } from "../policy/approvals.ts";
import type { ToolOutput } from "./types.ts";

const writes = /read-only file system|\bEROFS\b/i;
const network =
  /network is unreachable|could not resolve host|temporary failure in name resolution|name or service not known|nodename nor servname|\b(ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b/i;

/**
 * Whether a confined run failed on what the confinement withholds: a write outside, or the network (spec 4, OS sandbox).
 * A guess from its output; it only ever leads to a question.
 */
export const failedByConfinement = (output: ToolOutput, hasNetwork: boolean): boolean =>
  output.sandboxed === true &&
  output.isError &&
  (writes.test(output.output) || (!hasNetwork && network.test(output.output)));

/** The same question for a run without the sandbox: an answer to the first one says nothing about it. */
export const unconfinedRequest = (request: ApprovalRequest): ApprovalRequest => ({
  ...request,
  digest: sha256(`unconfined ${request.digest}`),
  because: [{ code: "unconfined_retry" }],
  rule: null,
  careful: true,
  confined: false,
});
