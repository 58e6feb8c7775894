import { minutes } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Reader, Tx } from "../../database/index.ts";
import { type LinkDeps, leadsToInstance } from "./leads-to-instance.ts";
import { findUser, holdUser } from "./user.store.ts";
import type { HumanUser, MachineUser, User } from "./user.ts";

/** Changes to the methods of signing in to an account need a full authentication within this time, in milliseconds. */
export const freshForChange = minutes(10);

/** A page that leads to such a change requires less, to leave time to fill it in. */
export const freshForForm = minutes(5);

/** What a caller wants with the account of another user. */
export interface ActOnUser {
  readonly user: User;
  readonly permission: UserAuthorization["permission"];
  /** Whether it takes a proof of the user's own: a current password, or a code that is sent to the user. */
  readonly isProven: boolean;
  /** Whether the caller gains no credential by it: what the user holds in other organizations then protects nothing. */
  readonly isWithoutGain: boolean;
  /** Whether it lowers what stands beside a first factor: removes a second one, or gives more guesses at one. */
  readonly lowersBarrier: boolean;
  /** Whether others than the user read what is sent, because its link leads to a page of an organization. */
  readonly isReadByOthers: boolean;
  /** Whether the caller does something else where this is refused. */
  readonly isOptional: boolean;
}

/**
 * Returns whether the caller holds at least what the user's own administrative positions carry. Refuses sign-in
 * applications to which the user has not proven themselves. Implemented by a later module (`session`), so it is passed
 * in.
 */
export type MayActFor = (reader: Reader, call: Call, userId: string, wanted: ActOnUser) => Promise<boolean>;

/**
 * Returns whether callers have just proven everything they have to sign in with. Implemented by a later module
 * (`session`).
 */
export type IsFresh = (reader: Reader, call: Call) => Promise<boolean>;

export interface AuthorizeDeps {
  readonly mayActFor: MayActFor;
  readonly isFresh: IsFresh;
}

/** The link of a message, as the caller wants it. */
interface SentLink extends LinkDeps {
  readonly template: string | undefined;
}

export interface UserAuthorization {
  readonly permission: "user.read" | "user.write" | "user.delete" | "user.credential.write" | "user.passkey.write";
  /** Whether users may do it to themselves without the permission. */
  readonly isSelfAllowed: boolean;
  /** Permission that users need to do it to themselves, where it is a different one. */
  readonly selfPermission?: string;
  /** For anything that gives power over the user: refuses callers who administer less than the user does. */
  readonly mayActFor?: MayActFor;
  /** Whether the user proves it, by a password or by a code that is sent: enough for sign-in applications. */
  readonly isProven?: boolean;
  /**
   * Whether the caller gains no credential by it, so that an appointment elsewhere cannot keep the user's own
   * organization from locking, deleting and resetting the account.
   */
  readonly isWithoutGain?: boolean;
  /**
   * For what takes a second factor away or unblocks it: without gain only where the caller's like could not have made
   * the first factors of the user.
   */
  readonly lowersBarrier?: boolean;
  /** Whether the caller does something else where this is refused. */
  readonly isOptional?: boolean;
  /** The link of the message that is sent: one to a page of an organization gives the caller what the message says. */
  readonly link?: SentLink | undefined;
  /** For credentials: refuses human users who have not just authenticated in full, whatever token they have. */
  readonly isFresh?: IsFresh;
}

/** Reading a user: for callers with `user.read` there, and the user. */
export const readUser: UserAuthorization = { permission: "user.read", isSelfAllowed: true };

/** What users may change about themselves. */
export const writeOwn = ({ mayActFor }: AuthorizeDeps): UserAuthorization => ({
  permission: "user.write",
  isSelfAllowed: true,
  mayActFor,
});

/**
 * What users may change about themselves and what gives no way into the account: names, pictures, and taking
 * credentials of service accounts away.
 */
export const writeOwnData = (deps: AuthorizeDeps): UserAuthorization => ({ ...writeOwn(deps), isWithoutGain: true });

/** What users may change about the methods of signing in to their account: names, addresses, factors, links. */
export const writeOwnSignInMethods = ({ mayActFor, isFresh }: AuthorizeDeps): UserAuthorization => ({
  permission: "user.write",
  isSelfAllowed: true,
  mayActFor,
  isFresh,
});

/** What users may add to what they sign in with. */
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

/** What only administrators may change and what gives no way into the account: states, metadata. */
export const writeOthersData = (deps: AuthorizeDeps): UserAuthorization => ({
  ...writeOthers(deps),
  isWithoutGain: true,
});

/** How a code is sent, as far as it decides who may ask for it. */
interface SentCode {
  readonly by: "message" | "return";
  readonly urlTemplate?: string | undefined;
}

/**
 * What reaches users in a message of their own; a code that is returned, or that its link brings to a page of an
 * organization, gives the caller power over the account.
 */
export const sendCode = (deps: AuthorizeDeps & LinkDeps, { by, urlTemplate }: SentCode): UserAuthorization => ({
  ...writeOwn(deps),
  isProven: by === "message",
  isWithoutGain: by === "message",
  link: { template: urlTemplate, originOf: deps.originOf },
});

/** What takes a method of signing in away and gives none: removing links. */
export const removeSignInMethod = (deps: AuthorizeDeps): UserAuthorization => ({
  ...writeOwnSignInMethods(deps),
  isWithoutGain: true,
});

/**
 * What takes away what a user may need beside the password: factors, keys and numbers. The administrator who set the
 * password or prepared a passkey gains by it, although each of the two gives nothing by itself.
 */
export const removeSecondFactor = (deps: AuthorizeDeps): UserAuthorization => ({
  ...removeSignInMethod(deps),
  lowersBarrier: true,
});

/** What of a user a caller may give more guesses at. */
export type Unblockable = "everything" | "factors" | "nothing";

/**
 * Returns what of a user the caller may give more guesses at: those who know the password or a factor gain the other by
 * it. At a password only administrators who hold as much as the user: with others unlocking again and again, strangers
 * would guess without the delays that grow. Users do it for themselves only with everything that they sign in with.
 */
export async function findUnblockable(tx: Tx, deps: AuthorizeDeps, user: User): Promise<Unblockable> {
  if (isSelf(tx.call, user.userId)) return (await deps.isFresh(tx, tx.call)) ? "everything" : "nothing";
  if (!(await mayAct(tx, tx.call, user, { ...writeOthersData(deps), lowersBarrier: true }))) return "nothing";
  return (await mayGain(tx, deps, user)) ? "everything" : "factors";
}

// Callers who are sign-in applications as well are refused by a Fault that says what they lack as such.
async function mayGain(tx: Tx, deps: AuthorizeDeps, user: User): Promise<boolean> {
  try {
    return await mayAct(tx, tx.call, user, { ...writeOthers(deps), isOptional: true });
  } catch (error) {
    if (error instanceof Fault && error.id === "user.login_client_unproven") return false;
    throw error;
  }
}

/** Returns whether the call comes from the user. */
export const isSelf = (call: Call, userId: string): boolean => call.caller?.userId === userId;

/**
 * Returns the user, if the caller is authorized. "Absent" and "not yours" are the same refusal; a caller who may read
 * the user, or is the user, learns that writing is not allowed.
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
 * Like `authorizeUser`, for a change: the user is locked until the unit of work ends, so that concurrent changes do not
 * overwrite each other.
 */
export async function holdAuthorizedUser(tx: Tx, userId: string, wanted: UserAuthorization): Promise<User> {
  return authorizeFound(tx, tx.call, await holdForCaller(tx, tx.call, userId, wanted), wanted);
}

/** Returns the user, locked, if the caller may delete the user. Users need `user.self.delete` for themselves. */
export async function authorizeUserDeletion(
  tx: Tx,
  call: Call,
  userId: string,
  { mayActFor, isFresh }: AuthorizeDeps,
): Promise<User> {
  const wanted = {
    permission: "user.delete",
    isSelfAllowed: false,
    selfPermission: "user.self.delete",
    mayActFor,
    isFresh,
    isWithoutGain: true,
  } as const;
  return authorizeFound(tx, call, await holdForCaller(tx, call, userId, wanted), wanted);
}

// Callers who have no permission there are refused by what a read finds: waiting to have the user alone, they would
// keep out all who share it.
async function holdForCaller(tx: Tx, call: Call, userId: string, wanted: UserAuthorization): Promise<User | undefined> {
  const { access } = requireCaller(call);
  if (!(isSelf(call, userId) || access.allows(wanted.permission, {}))) {
    const found = await findUser(tx, call.instanceId, userId);
    const mayHold = found !== undefined && access.allows(wanted.permission, { organizationId: found.organizationId });
    if (!mayHold) await authorizeFound(tx, call, found, wanted);
  }
  return holdUser(tx, userId);
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
    if (isOwn || (await mayAct(reader, call, user, wanted))) return user;
    // A caller who sets the password of an owner becomes the owner.
    throw new Fault("permission_denied", "user.administers_more", { field: "userId" });
  }
  if (isOwn || access.allows("user.read", scope)) {
    throw new Fault("permission_denied", "permission.missing", { values: { permission: wanted.permission } });
  }
  throw notFound();
}

async function mayAct(reader: Reader, call: Call, user: User, wanted: UserAuthorization): Promise<boolean> {
  const { permission, mayActFor, isProven = false, link, lowersBarrier = false, isOptional = false } = wanted;
  if (mayActFor === undefined) return true;
  const isReadByOthers = link !== undefined && !(await leadsToInstance(reader, link, call.instanceId, link.template));
  const isWithoutGain = wanted.isWithoutGain === true && !isReadByOthers;
  const act = { user, permission, isProven, isWithoutGain, lowersBarrier, isReadByOthers, isOptional };
  return mayActFor(reader, call, user.userId, act);
}

// A token outlives the sign-in by half a day, and the finder of a token must not be able to take over the account.
// Service accounts do not sign in.
async function demandFresh(reader: Reader, call: Call, { kind }: User, { isFresh }: UserAuthorization): Promise<void> {
  if (isFresh === undefined || kind !== "human" || call.caller?.isProven === true) return;
  if (!(await isFresh(reader, call))) throw new Fault("permission_denied", "authentication.too_old");
}

/** A user who does not exist, or whom the caller may not know of. */
export const notFound = (): Fault => new Fault("not_found", "user.not_found", { field: "userId" });

/** Refuses service accounts where only a human user makes sense. */
export function requireHuman(user: User): HumanUser {
  if (user.kind !== "human") throw new Fault("failed_precondition", "user.not_human", { field: "userId" });
  return user;
}

/** Refuses human users where only a service account makes sense. */
export function requireMachine(user: User): MachineUser {
  if (user.kind !== "machine") throw new Fault("failed_precondition", "user.not_machine", { field: "userId" });
  return user;
}
