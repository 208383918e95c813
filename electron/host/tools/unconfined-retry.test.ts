import { describe, expect, test } from "vitest";
import { failedByConfinement, type Withheld } from "./unconfined-retry.ts";

const failed = (output: string, exitCode = 1) => ({ output, exitCode, isError: true, sandboxed: true });
const hidden = ["/home/me/.ssh", "/home/me/.config/nacre"];
const all: Withheld = { network: true, hidden };
const onlyWrites: Withheld = { network: false, hidden: [] };

// As the programs print it when they run confined.
describe("a write outside", () => {
  test.each([
    "touch: cannot touch '/etc/x': Read-only file system\n(exit code 1)",
    "sh: 1: cannot create /usr/x: Read-only file system\n(exit code 2)",
    "OSError: [Errno 30] Read-only file system: '/etc/x'",
    "  errno: -30,\n  code: 'EROFS',\n  syscall: 'open',\n  path: '/etc/x'",
    "touch: das Öffnen von '/etc/x' ist fehlgeschlagen: Das Dateisystem ist nur lesbar",
    "touch: impossible de faire un touch '/etc/x': Système de fichiers accessible en lecture seulement",
    "touch: no se puede efectuar `touch' sobre '/etc/x': Sistema de archivos de sólo lectura",
    "touch: 无法触碰 '/etc/x': 只读文件系统",
    "touch: `/etc/x' に touch できません: 読み込み専用ファイルシステムです",
    "Error: Read-only file system (os error 30)",
    "touch: /private/etc/x: Operation not permitted",
    "npm error code EPERM",
    "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
  ])("%j", (text) => expect(failedByConfinement(failed(text), onlyWrites)).toBe(true));
});
const network = [
  "curl: (6) Could not resolve host: example.com\n(exit code 6)",
  "fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com",
  "ssh: Could not resolve hostname github.com: Temporary failure in name resolution",
  "wget: unable to resolve host address ‘example.com’",
  "npm error request to https://packages.example/left-pad failed, reason: getaddrinfo EAI_AGAIN packages.example",
  "urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>",
  "  [cause]: Error: getaddrinfo EAI_AGAIN example.com",
  "dial tcp: lookup proxy.golang.org: Temporary failure in name resolution",
  "dial tcp: lookup proxy.golang.org on 10.0.0.1:53: dial udp 10.0.0.1:53: connect: network is unreachable",
  "dial tcp: lookup proxy.golang.org: no such host",
  "warning: spurious network error (3 tries remaining): [6] Couldn't resolve host name (Could not resolve host: index.crates.io)",
  "error: failed to lookup address information: Temporary failure in name resolution",
  "NewConnectionError('<pip._vendor…>: Failed to establish a new connection: [Errno 101] Network is unreachable')",
  "java.net.UnknownHostException: repo.maven.apache.org",
  "curl: (7) Failed to connect to 127.0.0.1 port 5432 after 0 ms: Couldn't connect to server",
  "Error: connect ECONNREFUSED 127.0.0.1:5432",
  'psql: error: connection to server at "localhost" (::1), port 5432 failed: Connection refused',
];
describe("a socket of a program that runs outside", () => {
  test.each([
    'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.50/containers/json": dial unix /var/run/docker.sock: socket: operation not permitted',
    'psql: error: connection to server on socket "/var/run/postgresql/.s.PGSQL.5432" failed: could not create socket: Operation not permitted',
    "error connecting to /tmp/tmux-1000/default (Operation not permitted)",
    "Error: connect EPERM /tmp/x.sock\n    at PipeConnectWrap.afterConnect",
    "Error: listen EPERM: operation not permitted /tmp/x.sock",
    "PermissionError: [Errno 1] Operation not permitted",
    "Error connecting to agent: Operation not permitted",
    "Could not open a connection to your authentication agent.",
    "socket: Die Operation ist nicht erlaubt at -e line 1.",
    "socket: Opération non permise",
    "socket: Operación no permitida",
    "socket: 不允许的操作",
    "socket: 許可されていない操作です",
  ])("%j", (text) => expect(failedByConfinement(failed(text), onlyWrites)).toBe(true));
});
describe("the network", () => {
  test.each(network)("%j", (text) => expect(failedByConfinement(failed(text), all)).toBe(true));
  test.each(network)("is not the reason where the sandbox leaves it: %j", (text) =>
    expect(failedByConfinement(failed(text), { ...all, network: false })).toBe(false),
  );
  test("a silent curl says it by its exit code alone", () => {
    expect(failedByConfinement(failed("(no output)\n(exit code 6)", 6), all)).toBe(true);
    expect(failedByConfinement(failed("", 7), all)).toBe(true);
    expect(failedByConfinement(failed("six tests failed", 6), all)).toBe(false);
  });
});
describe("a hidden folder", () => {
  test.each([
    "cat: /home/me/.ssh/id: No such file or directory",
    "mkdir: cannot create directory ‘/home/me/.ssh/x’: No such file or directory",
    "Error: EACCES: permission denied, open '/home/me/.config/nacre/settings.json'",
    "git@github.com: Permission denied (publickey).",
    "Host key verification failed.",
  ])("%j", (text) => expect(failedByConfinement(failed(text), all)).toBe(true));
});
describe("another failure is none of it", () => {
  test.each([
    "cat: nothing: No such file or directory",
    "sh: 1: sudo: not found",
    "bash: ./run.sh: Permission denied",
    "3 tests failed",
    "Error: connect ECONNREFUSED 10.1.2.3:80",
    "fatal: --local can only be used inside a git repository",
  ])("%j", (text) => expect(failedByConfinement(failed(text), all)).toBe(false));
  test("nor is what went well, or ran unconfined", () => {
    const text = "Read-only file system";
    expect(failedByConfinement({ ...failed(text), isError: false }, all)).toBe(false);
    expect(failedByConfinement({ ...failed(text), sandboxed: false }, all)).toBe(false);
    expect(failedByConfinement({ ...failed(text), sandboxed: null }, all)).toBe(false);
  });
});
