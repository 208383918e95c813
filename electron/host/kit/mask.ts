export interface Masker {
  /** A value to hide from now on. Shorter than 6 characters it is too common to be hidden, and is passed over. */
  readonly add: (secret: string) => void;
  /** The text with known secrets, and what looks like one, replaced by `***`. */
  readonly mask: (text: string) => string;
}

const shortest = 6;
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

/** Hides secrets in what is written down or shown: logs, traces, exports (spec 4, Processes). */
export function createMasker(): Masker {
  let secrets: string[] = [];
  return {
    add(secret) {
      if (secret.length < shortest) return;
      // As it stands, and as it stands inside JSON.
      const forms = [secret, JSON.stringify(secret).slice(1, -1)];
      // The longest first, so that none is left with the tail of another.
      secrets = [...new Set([...secrets, ...forms])].sort((a, b) => b.length - a.length);
    },
    mask(text) {
      let masked = text;
      for (const secret of secrets) masked = masked.replaceAll(secret, hidden);
      for (const shape of shapes) masked = masked.replace(shape, `$1${hidden}`);
      return masked;
    },
  };
}
