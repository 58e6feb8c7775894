import { type Instant, minutes } from "../../base/clock.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { AuthRequest } from "../auth-request/index.ts";
import type { CheckKeyDeps } from "../factor/index.ts";
import type { SignalDeps } from "../notification/index.ts";
import type { UserAgent } from "../session/index.ts";
import type { CheckPasswordDeps, CodeDeps } from "../user/index.ts";
import { putSignIn } from "./sign-in.store.ts";
import type { SignIn, SignInKey } from "./state.ts";

export interface SignInDeps extends CheckPasswordDeps, CheckKeyDeps, CodeDeps, SignalDeps {
  readonly vault: Pick<Vault, "encrypt" | "decrypt">;
}

/** A browser that takes a step: who it is, what it is there for, and how it describes itself. */
export interface BrowserVisit {
  /** Hash of the secret in its cookie. */
  readonly browserHash: string;
  /** The request of this browser that waits; absent when no application does. */
  readonly authRequest: AuthRequest | undefined;
  readonly userAgent: UserAgent;
  /** Host of the instance at which it is: passkeys are good for one host. */
  readonly host: string;
  /** Milliseconds that checks of a session may be old with which the browser goes on; whatever the settings say when not given. */
  readonly maxAge?: number | undefined;
  /** The organization that the login led the person to, by the domain of his name; it chooses settings and shuts nobody out. */
  readonly organizationId?: string | undefined;
}

/** The organization whose settings hold: that of the request, else the one that the login led to. Undefined where those of the instance do. */
export const organizationOf = ({ authRequest, organizationId }: BrowserVisit): string | undefined =>
  authRequest?.parameters.organizationId ?? organizationId;

/** By which the way of a browser is found. */
export const keyOf = ({ browserHash, authRequest }: BrowserVisit): SignInKey => ({
  browserHash,
  authRequestId: authRequest?.authRequestId,
});

const lifetime = minutes(30);

/** A way without a request is forgotten after half an hour; one with a request ends with it. */
export const endOf = ({ authRequest }: BrowserVisit, call: Call): Instant =>
  authRequest?.expiresAt ?? call.now + lifetime;

/** Writes where a browser is now. */
export function writeSignIn(
  deps: Pick<SignInDeps, "database">,
  call: Call,
  visit: BrowserVisit,
  signIn: SignIn,
): Promise<void> {
  return deps.database.touch(call, (tx) => putSignIn(tx, keyOf(visit), signIn, endOf(visit, call)));
}
