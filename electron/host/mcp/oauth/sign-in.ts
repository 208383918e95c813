import { NacreError } from "../../../../shared/errors.ts";
import { httpStatus } from "../call-errors.ts";

/** How often one request may end in a sign-in: for a token, then for the scopes that it lacked. */
const signInsPerRequest = 2;

/** A person has to sign in first, and nobody can be asked here, or what they gave is refused. The server is there and waits. */
export class SignInNeeded extends NacreError {
  constructor(message: string, options?: ErrorOptions) {
    super("needs_setup", message, options);
  }
}

/** What lets a person sign in to a remote server. */
export interface SignIn {
  /** True where the server's last refusal said that a sign-in would help. */
  isWanted(): boolean;
  /**
   * Lets the person sign in; callers at the same time share one. Resolves when there is a token.
   * @throws NacreError `denied`, `timeout`, `needs_setup` where nobody can be asked; what the client library throws; the signal's reason
   */
  signIn(signal: AbortSignal): Promise<void>;
  /** Ends a sign-in that nobody needs any more. */
  close(): void;
}

/** Does `work`, and again after the person signed in, where the server refused it for that. No time limit runs meanwhile. */
export async function withSignIn<T>(
  session: SignIn | undefined,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  let refused = 0;
  for (let done = 0; ; done++)
    try {
      return await work();
    } catch (error) {
      const status = httpStatus(error);
      if (signal.aborted || done === signInsPerRequest || (status !== 401 && status !== 403)) throw error;
      if (!session?.isWanted()) throw error;
      if (status === 401 && refused++ > 0)
        throw new SignInNeeded(
          "the server refuses the token of a sign-in that was just made; sign in again later",
          { cause: error },
        );
      await session.signIn(signal);
    }
}
