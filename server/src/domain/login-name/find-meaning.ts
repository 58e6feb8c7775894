import { mailboxOf } from "../../base/names/mailbox-of.ts";
import type { Reader } from "../../database/index.ts";
import { findNameMeaning, type NamedUser, type NameMeaning } from "./find-user-by-login-name.ts";
import { findUserByPhone } from "./find-user-by-phone.ts";
import type { FoundUser } from "./found-user.ts";
import { listUsersOfMailbox } from "./login-name.store.ts";
import { bestOf, chooseOne, findHolders, isActive, mostCandidates } from "./only-one.ts";

/** A user whom something that was entered means. */
export interface MeantUser extends NamedUser {
  /** Whether it is their phone number, and no name. */
  readonly isNumber: boolean;
}

/** What something that was entered as a name means. */
export interface Meaning extends Pick<NameMeaning, "owner"> {
  readonly user: MeantUser | undefined;
}

/**
 * Finds what was entered: a name (`findNameMeaning`), otherwise a phone number. A number that an active user proved by
 * a code means that user before one of another organization who has it as a username, which an organization may give to
 * any of its users.
 */
export async function findMeaning(
  reader: Reader,
  instanceId: string,
  entered: string,
  options: { readonly organizationId?: string | undefined } = {},
): Promise<Meaning> {
  const { user, owner } = await findNameMeaning(reader, instanceId, entered, options);
  const ofNumber = await findUserByPhone(reader, instanceId, entered, { ...options, isProven: user !== undefined });
  const isNumber = ofNumber !== undefined && (user === undefined || takesName(ofNumber, user));
  if (isNumber) return { owner, user: { ...ofNumber, isOnlyEmail: false, isNumber } };
  return { owner, user: user && { ...user, isNumber } };
}

// An organization decides for itself what its users are called.
const takesName = (ofNumber: FoundUser, named: FoundUser): boolean =>
  isActive(ofNumber) && ofNumber.organizationId !== named.organizationId;

/**
 * Lists the users whom a name and an address mean in the whole instance: as names, as the number, and as the mailbox,
 * whatever stands behind a "+" in the address or in theirs. A name that is a number counts as both.
 */
export async function listMeantAnywhere(
  reader: Reader,
  instanceId: string,
  { name, address }: { readonly name: string; readonly address: string },
): Promise<readonly FoundUser[]> {
  const mailbox = mailboxOf(address);
  const found = await Promise.all([
    ...new Set([name, address, mailbox])
      .values()
      .map(async (each) => (await findMeaning(reader, instanceId, each)).user),
    findUserByPhone(reader, instanceId, name),
    findUserOfMailbox(reader, instanceId, mailbox),
  ]);
  return found.filter((user) => user !== undefined);
}

/**
 * Finds the active user with the best word that the address of a mailbox is theirs, in any of its spellings: between
 * them it is decided as for a name.
 */
async function findUserOfMailbox(reader: Reader, instanceId: string, mailbox: string): Promise<FoundUser | undefined> {
  const users = await listUsersOfMailbox(reader, instanceId, mailbox, { limit: mostCandidates });
  const proven = users.filter(({ rank }) => rank === "proven_email");
  if (proven.length > 0) return chooseOne(proven);
  const holders = findHolders(users);
  if (holders?.by === "reach") return bestOf(holders.users)[0];
  return bestOf(users.filter(({ organizationId }) => organizationId === holders?.organizationId))[0];
}
