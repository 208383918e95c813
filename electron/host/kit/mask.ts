export interface Masker {
  /**
   * A value to hide from now on, in every form it is likely to be met in. Shorter than 6 characters it is too common to be
   * hidden, and is passed over.
   */
  readonly add: (secret: string) => void;
  /** The text with known secrets, and what looks like one, replaced by `***`. */
  readonly mask: (text: string) => string;
  /** The same value with every text in it masked. For data: objects, lists and what JSON knows. */
  readonly masked: <T>(value: T) => T;
  /** For text that comes in pieces: a secret that lies across them is hidden all the same. */
  readonly stream: () => MaskStream;
}
export interface MaskStream {
  /** Gives what can be shown by now; what may be the beginning of a known secret is held back. */
  push(text: string): string;
  /** Gives the rest. */
  end(): string;
}

const shortest = 6;
/** Of what stands within other text: lines of a key, runs of base64. */
const shortestPart = 8;
const hidden = "***";

/** What looks like a secret wherever it stands; the first group stays readable. All run in linear time. */
const shapes: readonly RegExp[] = [
  // RFC 6750 and RFC 7617, as headers and in JSON.
  /\b(Bearer )[\w.~+/=-]{6,}/gi,
  /(\bauthorization"?[:=] ?"?(?:basic|token) )[\w.~+/=-]{6,}/gi,
  // `user:password@` in an address.
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/@:"']{0,100}:)[^\s/@"']{1,200}(?=@)/gi,
  // OpenAI, Anthropic, DeepSeek and others; GitHub; GitLab; Slack; Google; AWS; JSON web tokens.
  /\b(sk-)[\w-]{12,}/g,
  /\b(gh[opsur]_)[A-Za-z0-9]{20,}/g,
  /\b(github_pat_)\w{20,}/g,
  /\b(glpat-)[\w-]{16,}/g,
  /\b(xox[abeprs]-)[\w-]{10,}/g,
  /\b(AIza)[\w-]{30,}/g,
  /\b(AKIA)[A-Z0-9]{16}\b/g,
  /\b(eyJ)[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/g,
];

/** Stands in every text that one of them fits: most texts are short, and a look at them is all they need. */
const anyShape = /bearer |authorization|:\/\/|sk-|gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|AIza|AKIA|eyJ/i;

/** A secret in base64, whatever stands before it: what is the same for each of the three places it may begin at. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const form = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
/** As it stands, within JSON, within an address, and in base64; of several lines also each by itself. */
function formsOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  const parts = [...(lines.length > 1 ? lines : []), ...base64Forms(secret)];
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(Buffer.from(secret).toString()),
    ...parts.filter((part) => part.length >= shortestPart),
  ];
}

/** Hides secrets in what is written down or shown: logs, traces, exports (spec 4, Processes). */
export function createMasker(): Masker {
  let secrets: string[] = [];
  const known = new Set<string>();
  const mask = (text: string): string => {
    let masked = text;
    for (const secret of secrets) masked = masked.replaceAll(secret, hidden);
    if (anyShape.test(masked)) for (const shape of shapes) masked = masked.replace(shape, `$1${hidden}`);
    return masked;
  };
  /** How many characters at a text's end may be the beginning of a secret. */
  const unfinished = (text: string): number => {
    let length = 0;
    for (const secret of secrets)
      for (let tail = Math.min(secret.length - 1, text.length); tail > length; tail--)
        if (secret.startsWith(text.slice(text.length - tail))) length = tail;
    return length;
  };
  const masked = (value: unknown): unknown => {
    if (typeof value === "string") return mask(value);
    if (Array.isArray(value)) return value.map(masked);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [mask(name), masked(member)]));
  };
  return {
    add(secret) {
      const text = secret.trim();
      if (text.length < shortest || known.has(text)) return;
      known.add(text);
      // The longest first, so that none is left with the tail of another.
      secrets = [...new Set([...secrets, ...formsOf(text)])].sort((a, b) => b.length - a.length);
    },
    mask,
    masked: <T>(value: T) => masked(value) as T,
    stream() {
      let waiting = "";
      return {
        push(text) {
          const all = waiting + text;
          const kept = unfinished(all);
          waiting = all.slice(all.length - kept);
          return mask(all.slice(0, all.length - kept));
        },
        end() {
          const rest = waiting;
          waiting = "";
          // So much of a secret that was cut off tells too much of it.
          return rest.length >= shortest ? hidden : rest;
        },
      };
    },
  };
}
