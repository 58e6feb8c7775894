import type { Instant } from "../../base/clock.ts";
import {
  type Author,
  authorOf,
  type Call,
  formatAuthor,
  formatAuthorOfSession,
  isLoginClient,
  joinPreparations,
  ownerOf,
  positionsOf,
  preparationsBy,
  withoutLoginClient,
} from "../../call/index.ts";
import type { Reader, Tx } from "../../database/index.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";
import { freshForChange } from "./authorize-user.ts";
import { listPreparationsByCreator } from "./session-author.store.ts";

/**
 * Returns whether an author held at least what the positions of a user carry now. Implemented by a later module
 * (`administrator-access`), so it is passed in.
 */
export type MayPrepareFor = (reader: Reader, instanceId: string, author: Author, userId: string) => Promise<boolean>;

/**
 * Whether a provider may sign a user in. Implemented by a later module (`administrator-access`), so it is passed in.
 */
export type MayVouchFor = (
  reader: Reader,
  instanceId: string,
  provider: IdentityProvider,
  user: { readonly userId: string; readonly organizationId: string },
) => Promise<boolean>;

/**
 * Returns whether what an author said of a user is the word of those who manage users of the organization. The author
 * is given as stored: empty where the user said it, null where that is not known. Implemented by a later module
 * (`administrator-access`), so it is passed in.
 */
export type ManagesUsers = (author: string | null, organizationId: string) => boolean;

/**
 * Returns whether the caller holds at least what a user does, so that a message that opens the account may go where the
 * caller says. Implemented by a later module (`administrator-access`), so it is passed in.
 */
export type MayPrepareNow = (reader: Reader, call: Call, userId: string) => Promise<boolean>;

/** The user who is given a credential. */
interface Prepared {
  readonly userId: string;
  readonly organizationId: string;
}

/** Dependencies of everything that lets a user in by what another prepared. */
export interface PreparedDeps {
  readonly mayPrepareFor: MayPrepareFor;
}

/** A password or a passkey, as far as it was prepared. */
interface MadeCredential {
  readonly userId: string;
  /** As it is stored, and where nothing is, with `readAuthorOfCredential`. */
  readonly author: string;
  /** Null where that is not known. */
  readonly madeAt: Instant | null;
}

/**
 * Whether a password or a passkey signs its user in no longer, because it was made in a session that gives less than
 * the user gained since. Implemented by a later module (`administrator-access`), so it is passed in.
 */
export type IsCredentialSuspended = (
  reader: Reader,
  instanceId: string,
  credential: MadeCredential,
) => Promise<boolean>;

/** Dependencies of everything that signs a user in by a credential, or takes it as a proof. */
export interface SuspensionDeps {
  readonly isCredentialSuspended: IsCredentialSuspended;
}

/**
 * Returns what to store with a credential that a call gives a user about the administrator who knows it; empty where
 * the user chose it. What the user chooses in a session that others could have opened, they could have chosen. A
 * sign-in application passes on what users choose.
 */
export function authorOfCredential(call: Call, user: Prepared): string {
  const { caller } = call;
  if (caller === undefined) return "";
  if (caller.userId === user.userId) return formatAuthorOfSession(caller.preparedBy ?? []);
  return isPassedOn(call, user) ? "" : formatAuthor(positionsOf(call));
}

/**
 * Returns what to store with an address or a number that a call gives a new user, about who named it; empty where the
 * user did.
 */
export const authorOfContact = (call: Call, user: Prepared): string =>
  call.caller?.importer === undefined ? authorOfCredential(call, user) : formatAuthor(authorOf(call));

/**
 * Like `authorOfCredential`. What a sign-in application passes on, it may on the strength of a sign-in with it just
 * now: those who could have signed in there in the user's place could have chosen it. `knownTo` is the author of the
 * credential that the user showed instead.
 */
export async function findAuthorOfCredential(tx: Tx, user: Prepared, knownTo = ""): Promise<string> {
  const { call, instanceId, now } = tx;
  if (call.caller === undefined || !isPassedOn(call, user)) return authorOfCredential(call, user);
  const key = { creatorId: call.caller.userId, userId: user.userId, since: now - freshForChange };
  const rows = await listPreparationsByCreator(tx, instanceId, key);
  const inSessions = rows.map((stored) => stored ?? preparationsBy(readAuthorOfCredential(null, user.organizationId)));
  return formatAuthorOfSession(joinPreparations(preparationsBy(knownTo), ...inSessions));
}

/** Whether a caller passes on what the user chooses: a sign-in application that holds nothing else there. */
export function isPassedOn({ caller }: Call, { userId, organizationId }: Prepared): boolean {
  if (caller === undefined || caller.userId === userId || !isLoginClient(caller.access)) return false;
  return !withoutLoginClient(caller.access).allows("user.write", { organizationId });
}

/**
 * Returns the author of a credential as it is stored: where none is known, it was an owner of the user's organization.
 */
export const readAuthorOfCredential = (stored: string | null, organizationId: string): string =>
  stored ?? formatAuthor(ownerOf(organizationId));
