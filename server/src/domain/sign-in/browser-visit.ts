import { type Instant, minutes } from "../../base/clock.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { AuthRequest } from "../auth-request/index.ts";
import type { CodeDeps } from "../contact/index.ts";
import type { SignalDeps } from "../notification/index.ts";
import type { CheckPasswordDeps } from "../password/index.ts";
import type { SignInScripts } from "../script/index.ts";
import type { UserAgent } from "../session/index.ts";
import type { CheckKeyDeps } from "../webauthn-key/index.ts";
import { putSignIn } from "./sign-in.store.ts";
import type { CurrentSignIn, SignIn, SignInKey } from "./state.ts";

export interface SignInDeps extends CheckPasswordDeps, CheckKeyDeps, CodeDeps, SignalDeps {
  readonly vault: Pick<Vault, "encrypt" | "decrypt">;
  /** Scripts of organizations that run around sign-ins. */
  readonly signInScripts: SignInScripts;
}

/** A request from a browser: which browser it is, what it is there for, and how it describes itself. */
export interface BrowserVisit {
  /** Hash of the secret in its cookie. */
  readonly browserHash: string;
  /** The authorization request of this browser that waits; absent when no application does. */
  readonly authRequest: AuthRequest | undefined;
  readonly userAgent: UserAgent;
  /** Host of the instance that the browser visits: passkeys work on one host. */
  readonly host: string;
  /**
   * How old, in milliseconds, checks of a session may be for the browser to continue with it; absent for the value of
   * the settings.
   */
  readonly maxAge?: number | undefined;
  /** The organization that the address names; it chooses settings and excludes no user. */
  readonly organizationId?: string | undefined;
  /** The organization that the waiting application belongs to; absent for one of strangers, and where none waits. */
  readonly applicationOrganizationId?: string | undefined;
  /**
   * Whether new users may be created without a question in an organization, and its links of accounts and providers
   * count. That is so if the entered name belongs there (that of the given attempt, otherwise the stored one), it has
   * to do with the application, or the client proved that it named it. Without that, links of strangers could place new
   * users, and sign others in as theirs. Asked only where it matters.
   */
  readonly admitsNewcomers?:
    | ((organizationId: string, signIn?: Pick<CurrentSignIn, "loginName" | "userOrganizationId">) => Promise<boolean>)
    | undefined;
}

/**
 * Returns the organization whose settings apply: that of the request, otherwise the discovered one. Undefined where
 * those of the instance do.
 */
export const organizationOf = ({
  authRequest,
  organizationId,
}: Pick<BrowserVisit, "authRequest" | "organizationId">): string | undefined =>
  authRequest?.parameters.organizationId ?? organizationId;

/**
 * Returns the organization in which the visit creates new users: that of the request, otherwise the one that the
 * address names, where that may place users. Undefined where the default applies.
 */
export async function organizationOfNewcomers({
  authRequest,
  organizationId,
  admitsNewcomers,
}: Pick<BrowserVisit, "authRequest" | "organizationId" | "admitsNewcomers">): Promise<string | undefined> {
  const named = authRequest?.parameters.organizationId;
  if (named !== undefined || organizationId === undefined) return named;
  return (await admitsNewcomers?.(organizationId)) === true ? organizationId : undefined;
}

/**
 * Returns the organization that a sign-in is for, whose links of accounts count in it: the one in which it creates new
 * users, otherwise the one that the application belongs to. Undefined where it is for none.
 */
export const organizationOfLinks = async (
  visit: Pick<BrowserVisit, "authRequest" | "organizationId" | "admitsNewcomers" | "applicationOrganizationId">,
): Promise<string | undefined> => (await organizationOfNewcomers(visit)) ?? visit.applicationOrganizationId;

/**
 * Returns whether nothing but the scope of the request names the organization of `organizationOfNewcomers`. Any link
 * can have written that, so the user is asked before they become a user there, or are signed in as one by the word of
 * its administrators.
 */
export async function isOrganizationUnproven(
  { authRequest, admitsNewcomers }: Pick<BrowserVisit, "authRequest" | "admitsNewcomers">,
  signIn?: CurrentSignIn,
): Promise<boolean> {
  const organizationId = authRequest?.parameters.organizationId;
  if (organizationId === undefined) return false;
  return (await admitsNewcomers?.(organizationId, signIn)) !== true;
}

/** Returns the key of a browser's sign-in attempt. */
export const keyOf = ({ browserHash, authRequest }: BrowserVisit): SignInKey => ({
  browserHash,
  authRequestId: authRequest?.authRequestId,
});

const lifetime = minutes(30);

/**
 * Returns when an attempt ends that is written now: with its request, or without one after half an hour. From the first
 * factor on it keeps its end (`putSignIn`).
 */
export const endOf = ({ authRequest }: BrowserVisit, call: Call): Instant =>
  authRequest?.expiresAt ?? call.now + lifetime;

/** Stores the state of a browser's attempt. */
export function writeSignIn(
  deps: Pick<SignInDeps, "database">,
  call: Call,
  visit: BrowserVisit,
  signIn: SignIn,
): Promise<void> {
  return deps.database.touch(call, (tx) => putSignIn(tx, keyOf(visit), signIn, endOf(visit, call)));
}
