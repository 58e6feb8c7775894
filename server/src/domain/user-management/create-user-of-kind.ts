import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Tx } from "../../database/index.ts";
import { claimIdentifier } from "../instance/index.ts";
import { formNames, isOwnChoice, type OwnAddress, parseChosenId, parseUsername } from "../login-name/index.ts";
import { holdOrganization } from "../organization/index.ts";
import { findUser, insertUser, type User, type UserInsert, userAggregate } from "../user/index.ts";

type Remaining = Omit<
  UserInsert,
  | "userId"
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

/** Inserts a user of either kind with its login name, and records it. Refuses taken ids and names, naming the field. */
export async function createUserOfKind(
  tx: Tx,
  deps: { readonly newId: IdGenerator },
  input: NewUser,
  remaining: Remaining,
): Promise<User> {
  const organization = await holdOrganization(tx, input.organizationId);
  if (organization === undefined) throw new Fault("not_found", "organization.not_found", { field: "organizationId" });
  const userId = input.userId === undefined ? deps.newId() : parseChosenId(input.userId, "userId");
  const username = parseUsername(input.username ?? userId, "username");
  const user = await insertUser(tx, {
    userId,
    organizationId: input.organizationId,
    ...(await formNames(tx, organization, { username, email: input.email })),
    isUsernameOwnChoice: isOwnChoice(tx.call, userId),
    ...remaining,
  });
  if (user === undefined) throw await takenFault(tx, userId);
  await claimIdentifier(tx, "user", { identifier: userId, field: "userId" });
  tx.record({
    type: "user.created",
    ...userAggregate(user),
    sequence: user.details.sequence,
    payload: { kind: user.kind, username: user.username, displayName: user.displayName, ...describe(user) },
  });
  return user;
}

async function takenFault(tx: Tx, userId: string): Promise<Fault> {
  const isIdTaken = (await findUser(tx, tx.instanceId, userId)) !== undefined;
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
    ...(email.proof && { emailProof: email.proof }),
    ...(phone && { phone: phone.number }),
    ...(phone?.proof && { phoneProof: phone.proof }),
  };
}
