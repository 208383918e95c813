/** What a line does: an operation of a classic BPF machine (linux/bpf_common.h, linux/filter.h). */
const operations = { load: 0x20, and: 0x54, ifEqual: 0x15, ifAtLeast: 0x35, answer: 0x06 } as const;
/** A line of a program, or the name of the place before the next one. Jumps lead forward; without a name, to the next line. */
type Line =
  | string
  | {
      readonly operation: keyof typeof operations;
      readonly value: number;
      readonly yes?: string;
      readonly no?: string;
    };

/** Where `struct seccomp_data` holds what a call says of itself (seccomp(2)); of an argument its lower half, as both machines lay it out. */
const data = { number: 0, architecture: 4, firstArgument: 16, secondArgument: 24 } as const;
/** `SECCOMP_RET_ALLOW`, and `SECCOMP_RET_ERRNO` with EPERM. */
const answers = { allow: 0x7fff_0000, refuse: 0x0005_0001 } as const;

/** `AF_INET`, `AF_INET6` and `AF_NETLINK`, which tells of interfaces. */
const families = [2, 10, 16];
const unix = 1;
/** Of a socket's type the part that is no flag (`SOCK_TYPE_MASK`). */
const typeMask = 0xf;
/** `SOCK_STREAM` and `SOCK_SEQPACKET`: their two ends stay with each other. */
const boundTypes = [1, 5];

/** How system calls are numbered for one kind of program. */
interface Numbering {
  /** `AUDIT_ARCH_…` of linux/audit.h. */
  readonly architecture: number;
  readonly socket: number;
  readonly socketpair: number;
  /**
   * Refused whatever they are asked: `io_uring_setup`, whose rings make sockets past every filter, `socketcall`, whose
   * arguments a filter cannot see, and `add_key`, `request_key` and `keyctl`: key rings are in no namespace.
   */
  readonly refused: readonly number[];
  /** From here on numbers mean another kind of program (x32), which gets nothing. */
  readonly end?: number;
}
const x86_64: Numbering = {
  architecture: 0xc000_003e,
  socket: 41,
  socketpair: 53,
  refused: [425, 248, 249, 250],
  end: 0x4000_0000,
};
const i386: Numbering = {
  architecture: 0x4000_0003,
  socket: 359,
  socketpair: 360,
  refused: [425, 102, 286, 287, 288],
};
const aarch64: Numbering = {
  architecture: 0xc000_00b7,
  socket: 198,
  socketpair: 199,
  refused: [425, 217, 218, 219],
};
const arm: Numbering = {
  architecture: 0x4000_0028,
  socket: 281,
  socketpair: 288,
  refused: [425, 309, 310, 311],
};
/** What a kernel for Node's architecture runs. */
const machines: Partial<Record<NodeJS.Architecture, readonly Numbering[]>> = {
  x64: [x86_64, i386],
  arm64: [aarch64, arm],
};

/**
 * The filter of system calls for a confined process, as bubblewrap reads it (`--seccomp`): an array of `struct
 * sock_filter`. Sockets are those of the Internet and of netlink alone; all others answer EPERM, Unix sockets and those of
 * virtual machines (`AF_VSOCK`) above all, which no namespace parts from the host's. Pairs of connected Unix sockets are
 * allowed, but for datagrams: one of such a pair could still send to any name. Undefined where no filter is known.
 */
export function seccompFilter(architecture: NodeJS.Architecture): Uint8Array | undefined {
  const machine = machines[architecture];
  return machine && assembled(program(machine));
}

const ifOneOf = (values: readonly number[], yes: string): Line[] =>
  values.map((value) => ({ operation: "ifEqual", value, yes }));

const program = (machine: readonly Numbering[]): Line[] => [
  { operation: "load", value: data.architecture },
  ...machine.flatMap((numbering) => ifOneOf([numbering.architecture], placeOf(numbering))),
  { operation: "answer", value: answers.refuse },
  ...machine.flatMap((numbering): Line[] => [
    placeOf(numbering),
    { operation: "load", value: data.number },
    ...(numbering.end === undefined
      ? []
      : [{ operation: "ifAtLeast", value: numbering.end, yes: "refuse" } as const]),
    ...ifOneOf(numbering.refused, "refuse"),
    ...ifOneOf([numbering.socket], "socket"),
    ...ifOneOf([numbering.socketpair], "socketpair"),
    { operation: "answer", value: answers.allow },
  ]),
  "socket",
  { operation: "load", value: data.firstArgument },
  ...ifOneOf(families, "allow"),
  { operation: "answer", value: answers.refuse },
  "socketpair",
  { operation: "load", value: data.firstArgument },
  { operation: "ifEqual", value: unix, no: "refuse" },
  { operation: "load", value: data.secondArgument },
  { operation: "and", value: typeMask },
  ...ifOneOf(boundTypes, "allow"),
  "refuse",
  { operation: "answer", value: answers.refuse },
  "allow",
  { operation: "answer", value: answers.allow },
];
const placeOf = ({ architecture }: Numbering): string => `numbers of ${architecture}`;

/** `struct sock_filter`: code (2 bytes), how many lines to skip if so (1) and if not (1), value (4); little-endian. */
function assembled(lines: readonly Line[]): Uint8Array {
  const places = new Map<string, number>();
  const instructions: Exclude<Line, string>[] = [];
  for (const line of lines) {
    if (typeof line === "string") places.set(line, instructions.length);
    else instructions.push(line);
  }
  const bytes = Buffer.alloc(8 * instructions.length);
  const skip = (from: number, to = ""): number => (places.get(to) ?? from + 1) - from - 1;
  instructions.forEach(({ operation, value, yes, no }, index) => {
    bytes.writeUInt16LE(operations[operation], 8 * index);
    bytes.writeUInt8(skip(index, yes), 8 * index + 2);
    bytes.writeUInt8(skip(index, no), 8 * index + 3);
    bytes.writeUInt32LE(value, 8 * index + 4);
  });
  return bytes;
}
