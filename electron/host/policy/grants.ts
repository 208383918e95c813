import { randomBytes } from "node:crypto";
import { NacreError } from "../../../shared/errors.ts";
import { systemClock, type Clock } from "../kit/clock.ts";

const lifeMs = 10 * 60_000;
const mostOpen = 256;

/**
 * One-time permissions that the host makes when it shows something and takes back when the person agrees: what is
 * started is what was shown. A grant names its payload and digest, and is gone after 10 minutes.
 */
export class Grants<T> {
  readonly #open = new Map<string, { payload: T; digest: string; until: number }>();
  readonly #clock: Clock;
  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }
  /** Gives a fresh id that cannot be guessed. */
  make(payload: T, digest: string): string {
    const now = this.#clock.now();
    for (const [id, grant] of this.#open)
      if (grant.until <= now || this.#open.size >= mostOpen) this.#open.delete(id);
    const id = randomBytes(16).toString("hex");
    this.#open.set(id, { payload, digest, until: now + lifeMs });
    return id;
  }
  /** Takes the grant away and gives what it stood for. @throws NacreError `denied` for one that is spent or expired */
  spend(id: string): { payload: T; digest: string } {
    const grant = this.#open.get(id);
    this.#open.delete(id);
    if (!grant || grant.until <= this.#clock.now())
      throw new NacreError(
        "denied",
        "this approval was used already or is older than 10 minutes; look again",
      );
    return { payload: grant.payload, digest: grant.digest };
  }
}
