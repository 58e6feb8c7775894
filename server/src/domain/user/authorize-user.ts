import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Reader, Tx } from "../../database/index.ts";
import { findUser, holdUser } from "./user.store.ts";
import type { HumanUser, MachineUser, User } from "./user.ts";

/**
 * Whether the caller holds at least what the user's own administrative positions carry. Answered by a later module (`membership`), so
 * it is handed in.
 */
export type MayActFor = (reader: Reader, call: Call, userId: string) => Promise<boolean>;

/** Whether the caller has just proven everything that he has to sign in with. Answered by a later module (`session`), so it is handed in. */
export type IsFresh = (reader: Reader, call: Call) => Promise<boolean>;

export interface AuthorizeDeps {
  readonly mayActFor: MayActFor;
  readonly isFresh: IsFresh;
}

export interface UserAuthorization {
  readonly permission: "user.read" | "user.write" | "user.delete" | "user.credential.write" | "user.passkey.write";
  /** Whether a person may do it to himself without the permission. */
  readonly isSelfAllowed: boolean;
  /** Permission that a person needs to do it to himself, where it is another one. */
  readonly selfPermission?: string;
  /** For whatever gives power over the user: refuses those who administer less than he does. */
  readonly mayActFor?: MayActFor;
  /** For the ways into an account: refuses people who have not just authenticated in full, whatever token they have. */
  readonly isFresh?: IsFresh;
}

/** Reading a user: who holds `user.read` there, and the user himself. */
export const readUser: UserAuthorization = { permission: "user.read", isSelfAllowed: true };

/** What people may change about themselves. */
export const writeOwn = ({ mayActFor }: AuthorizeDeps): UserAuthorization => ({
  permission: "user.write",
  isSelfAllowed: true,
  mayActFor,
});

/** What people may change about the ways into their account: names, addresses, factors, links. */
export const writeOwnWayIn = ({ mayActFor, isFresh }: AuthorizeDeps): UserAuthorization => ({
  permission: "user.write",
  isSelfAllowed: true,
  mayActFor,
  isFresh,
});

/** What people may add to what they sign in with. */
export const writeOwnCredential = ({ mayActFor, isFresh }: AuthorizeDeps): UserAuthorization => ({
  permission: "user.credential.write",
  isSelfAllowed: true,
  mayActFor,
  isFresh,
});

/** What only administrators may change: states, proofs taken on trust. */
export const writeOthers = ({ mayActFor }: AuthorizeDeps): UserAuthorization => ({
  permission: "user.write",
  isSelfAllowed: false,
  mayActFor,
});

/** Whether the call comes from the user himself. */
export const isSelf = (call: Call, userId: string): boolean => call.caller?.userId === userId;

/**
 * The user, if the caller may do there what he wants to. "Absent" and "not yours" are the same refusal; who may read the user, or is
 * the user, learns that writing is not allowed.
 */
export async function authorizeUser(
  reader: Reader,
  call: Call,
  userId: string,
  wanted: UserAuthorization,
): Promise<User> {
  requireCaller(call);
  return authorizeFound(reader, call, await findUser(reader, call.instanceId, userId), wanted);
}

/**
 * Like `authorizeUser`, for a change: the user is held until the unit of work ends, so that of two changes at a time none writes over what
 * the other wrote.
 */
export async function holdAuthorizedUser(tx: Tx, userId: string, wanted: UserAuthorization): Promise<User> {
  requireCaller(tx.call);
  return authorizeFound(tx, tx.call, await holdUser(tx, userId), wanted);
}

/** The user, held until the unit of work ends, if the caller may delete him. People need `user.self.delete` for themselves. */
export async function authorizeUserDeletion(
  tx: Tx,
  call: Call,
  userId: string,
  { mayActFor, isFresh }: AuthorizeDeps,
): Promise<User> {
  requireCaller(call);
  const wanted = {
    permission: "user.delete",
    isSelfAllowed: false,
    selfPermission: "user.self.delete",
    mayActFor,
    isFresh,
  } as const;
  return authorizeFound(tx, call, await holdUser(tx, userId), wanted);
}

async function authorizeFound(
  reader: Reader,
  call: Call,
  user: User | undefined,
  wanted: UserAuthorization,
): Promise<User> {
  const { access } = requireCaller(call);
  if (user === undefined) throw notFound();
  const scope = { organizationId: user.organizationId };
  const isOwn = isSelf(call, user.userId);
  if (isOwn && (wanted.isSelfAllowed || access.allows(wanted.selfPermission ?? wanted.permission, scope))) {
    await demandFresh(reader, call, user, wanted);
    return user;
  }
  if (access.allows(wanted.permission, scope)) {
    if (isOwn || wanted.mayActFor === undefined || (await wanted.mayActFor(reader, call, user.userId))) return user;
    // Who sets the password of an owner is the owner.
    throw new Fault("permission_denied", "user.administers_more", { field: "userId" });
  }
  if (isOwn || access.allows("user.read", scope)) {
    throw new Fault("permission_denied", "permission.missing", { values: { permission: wanted.permission } });
  }
  throw notFound();
}

// A token outlives the moment in which somebody signed in by half a day, and who finds one must not make the account his. Service accounts do not
// sign in.
async function demandFresh(reader: Reader, call: Call, { kind }: User, { isFresh }: UserAuthorization): Promise<void> {
  if (isFresh === undefined || kind !== "human" || call.caller?.isProven === true) return;
  if (!(await isFresh(reader, call))) throw new Fault("permission_denied", "authentication.too_old");
}

export const notFound = (): Fault => new Fault("not_found", "user.not_found", { field: "userId" });

/** Refuses service accounts where only a person makes sense. */
export function requireHuman(user: User): HumanUser {
  if (user.kind !== "human") throw new Fault("failed_precondition", "user.not_human", { field: "userId" });
  return user;
}

/** Refuses people where only a service account makes sense. */
export function requireMachine(user: User): MachineUser {
  if (user.kind !== "machine") throw new Fault("failed_precondition", "user.not_machine", { field: "userId" });
  return user;
}
