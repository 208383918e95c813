import { sha256 } from "../kit/files.ts";
import type { ApprovalRequest } from "../policy/approvals.ts";
import type { ToolOutput } from "./types.ts";

/** What a confined run was kept from. */
export interface Withheld {
  /** It had no network. */
  readonly network: boolean;
  /** Folders that are empty in it, absolute. */
  readonly hidden: readonly string[];
}
/**
 * A write where the sandbox is read-only, or a Unix socket: the name and numbers of EROFS and EPERM in programs that print
 * those, their words in the C library's translations (macOS says the second of whatever Seatbelt refuses), and what is said where
 * nobody names the socket of an agent or of containers.
 */
const refusals = [
  /\bEROFS\b|\[Errno 30\]|\(os error 30\)|read-only file system/i,
  /Dateisystem ist nur lesbar|Das Dateisystem ist nur lesbar/,
  /Système de fichiers (accessible )?en lecture seule/i,
  /Sistema de (archivos|ficheros) de sólo lectura|Sistema de arquivos somente para leitura/i,
  /File system in sola lettura|Файловая система доступна только для чтения/i,
  /只读文件系统|唯讀的?檔案系統|読み込み専用ファイルシステム|읽기 ?전용 파일 시스템/,
  /\bEPERM\b|operation not permitted/i,
  /Die Operation ist nicht erlaubt|Opération non permise|Operación no permitida|Operação não permitida/i,
  /Operazione non permessa|Операция не позволена/i,
  /不允许的操作|此項操作並不被允許|許可されていない操作です|명령을 허용하지 않음/,
  /could not open a connection to your authentication agent/i,
  /cannot connect to the docker daemon|failed to connect to (the )?(system |session )?bus/i,
];
/** A name that could not be looked up, or a way that is not there: the words of curl, git, ssh, wget and languages' own. */
const unreachable = [
  /could not resolve (host|proxy|hostname)|couldn't resolve host|unable to resolve host/i,
  /temporary failure in name resolution|name or service not known|nodename nor servname/i,
  /no address associated with hostname|no such host\b|getaddrinfo failed|UnknownHostException/i,
  /failed to lookup address information|network is unreachable|no route to host/i,
  /failed to establish a new connection/i,
  /\b(ENETUNREACH|EHOSTUNREACH|EAI_AGAIN|ENOTFOUND)\b/,
  // A sandbox has a loopback of its own: what listens on this machine is not there.
  /(127\.0\.0\.\d+|localhost|\[?::1\]?)\D[^\n]*(refused|couldn't connect|could not connect)/i,
  /(refused|ECONNREFUSED|couldn't connect|could not connect)[^\n]*(127\.0\.0\.\d+|localhost|::1)/i,
];
/** curl, silent: no name found, no connection. */
const silentCurl = new Set([6, 7]);
const missing = /permission denied|no such file|\b(EACCES|ENOENT)\b|not found/i;
/** ssh, where `~/.ssh` is empty. */
const keys = /host key verification failed|permission denied \([^\n)]*publickey/i;

/**
 * Whether a confined run failed on what the confinement withholds: a write outside, a socket, a hidden folder, or the network
 * (spec 4, OS sandbox). A guess from its output; it only ever leads to a question.
 */
export function failedByConfinement(output: ToolOutput, withheld: Withheld): boolean {
  if (output.sandboxed !== true || !output.isError) return false;
  const text = output.output;
  const says = (signs: readonly RegExp[]): boolean => signs.some((sign) => sign.test(text));
  if (
    says(refusals) ||
    (withheld.hidden.length > 0 && (keys.test(text) || namesHidden(text, withheld.hidden)))
  )
    return true;
  if (!withheld.network) return false;
  const silent = silentCurl.has(output.exitCode ?? 0) && /^\s*(\(|$)/.test(text);
  return silent || says(unreachable);
}
/** A line that tells of something missing or refused in a folder that is empty in the sandbox. */
const namesHidden = (text: string, hidden: readonly string[]): boolean =>
  text.split("\n").some((line) => missing.test(line) && hidden.some((folder) => line.includes(folder)));

/** The same question for a run without the sandbox: an answer to the first one says nothing about it. */
export const unconfinedRequest = (request: ApprovalRequest): ApprovalRequest => ({
  ...request,
  digest: sha256(`unconfined ${request.digest}`),
  because: [{ code: "unconfined_retry" }],
  rule: null,
  careful: true,
  confined: false,
});
