import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import { firstSequence, type Tx } from "../../database/index.ts";
import { claimIdentifier, isIdentifierGiven } from "../instance/index.ts";
import { formNames, isOwnChoice, type OwnAddress, parseChosenId, parseUsername } from "../login-name/index.ts";
import { findUser, toldProof, type User, type UserInsert, userAggregate } from "../user/index.ts";

/** What a user of either kind is inserted with. */
export type AccountColumns = Pick<
  UserInsert,
  | "userId"
  | "sequence"
  | "organizationId"
  | "isUsernameOwnChoice"
  | "username"
  | "usernameKey"
  | "preferredLoginName"
  | "loginNameKey"
>;

interface NewUser {
  readonly organizationId: string;
  /** Chosen by the caller, or generated. */
  readonly userId?: string | undefined;
  /** Username, when it is not the id. */
  readonly username?: string | undefined;
  readonly email?: OwnAddress;
}

/** Step: chooses the id and forms the names of a user of either kind, in an organization that stays held. */
export async function formAccount(
  tx: Tx,
  deps: { readonly newId: IdGenerator },
  input: NewUser,
): Promise<AccountColumns> {
  const { organizationId } = input;
  const userId = input.userId === undefined ? deps.newId() : parseChosenId(input.userId, "userId");
  const username = parseUsername(input.username ?? userId, "username");
  const names = await formNames(tx, organizationId, { username, email: input.email });
  const sequence = await firstSequence(tx, "user", input.userId);
  return { userId, sequence, organizationId, ...names, isUsernameOwnChoice: isOwnChoice(tx.call, userId) };
}

/**
 * Step: claims the id of a user who was inserted, and records the user. Refuses an insertion that found no free place:
 * the id or the name is taken, and the refusal names the field.
 */
export async function recordNewUser<Kind extends User["kind"]>(
  tx: Tx,
  { userId }: AccountColumns,
  kind: Kind,
  user: User | undefined,
): Promise<Extract<User, { kind: Kind }>> {
  if (user === undefined) throw await takenFault(tx, userId);
  if (!isOfKind(user, kind)) throw new Fault("internal", "user.kind_unexpected");
  await claimIdentifier(tx, "user", { identifier: userId, field: "userId" });
  recordCreation(tx, user);
  return user;
}

/** Step: records a user who was inserted, and whose id was claimed. */
export function recordCreation(tx: Tx, user: User): void {
  tx.record({
    type: "user.created",
    ...userAggregate(user),
    sequence: user.details.sequence,
    payload: { kind: user.kind, username: user.username, displayName: user.displayName, ...describe(user) },
  });
}

const isOfKind = <Kind extends User["kind"]>(user: User, kind: Kind): user is Extract<User, { kind: Kind }> =>
  user.kind === kind;

async function takenFault(tx: Tx, userId: string): Promise<Fault> {
  // The user who had the id may be deleted by now; the id stays given.
  const isIdTaken =
    (await isIdentifierGiven(tx, tx.instanceId, userId)) || (await findUser(tx, tx.instanceId, userId)) !== undefined;
  return isIdTaken
    ? new Fault("already_exists", "user.id_taken", { field: "userId" })
    : new Fault("already_exists", "user.username_taken", { field: "username" });
}

function describe(user: User): Readonly<Record<string, unknown>> {
  if (user.kind === "machine") return { description: user.description, accessTokenFormat: user.accessTokenFormat };
  const { profile, email, phone, state } = user;
  return {
    ...(state === "initial" && { state }),
    ...profile,
    email: email.address,
    isEmailVerified: email.isVerified,
    ...(email.proof && { emailProof: toldProof(email.proof) }),
    ...(phone && { phone: phone.number }),
    ...(phone?.proof && { phoneProof: toldProof(phone.proof) }),
  };
}
