import type { Secret } from "../../base/secret.ts";
import { authorOfNothing, type Call, formatAuthor, requirePermission } from "../../call/index.ts";
import type { Details, Tx } from "../../database/index.ts";
import { type CodeDelivery, type CodeDeps, issueCode, type Verification } from "../contact/index.ts";
import { findIdentityProvider, type IdentityProvider } from "../identity-provider/index.ts";
import { requireChoiceOfIdentifier } from "../instance/index.ts";
import { sendInitialization } from "../invitation/index.ts";
import type { MetadataEntry } from "../metadata/index.ts";
import { type NewPassword, type PasswordDeps, type PreparedPassword, preparePassword } from "../password/index.ts";
import { authorOfCredential, type HumanUser, putUserMetadata, readDetails } from "../user/index.ts";
import { createHumanUser, type NewHumanUser } from "./create-human-user.ts";

export interface NewHuman extends Omit<NewHumanUser, "email" | "phone" | "password"> {
  readonly email: {
    readonly address: string;
    readonly verification: Verification;
    /** Who named the address, as it is stored; the caller when absent. */
    readonly namedBy?: string | undefined;
  };
  readonly phone?:
    | { readonly number: string; readonly verification: Verification; readonly namedBy?: string | undefined }
    | undefined;
  readonly password?: NewPassword | undefined;
  readonly metadata: readonly MetadataEntry[];
  /**
   * As in the first generation of the API, a user without a proven address, or without anything to sign in with, begins
   * with the code of a message. Otherwise users are active from the start.
   */
  readonly mayBeInitial?: boolean;
  /** Whether the user gets something to sign in with besides a password. */
  readonly hasOtherSignInMethod?: boolean;
  /** Step of a later module in the same unit of work: what else the user is given. */
  readonly complete?: ((tx: Tx, user: HumanUser) => Promise<void>) | undefined;
}

/** An account of a user at an identity provider. */
export interface NewAccount {
  readonly identityProviderId: string;
  readonly externalUserId: string;
  readonly externalUsername: string;
}

/**
 * Links an account at an identity provider to a user who is being created. Implemented by a later module
 * (`identity-provider-link`).
 */
type TieAccount = (
  tx: Tx,
  user: { readonly userId: string; readonly organizationId: string },
  account: NewAccount & { readonly isForNewUser: true },
) => Promise<number>;

export interface CreateHumanDeps extends PasswordDeps, CodeDeps {
  readonly tieAccount: TieAccount;
}

export interface CreatedUser {
  readonly userId: string;
  readonly details: Details;
  /** Only when they were to be returned. */
  readonly emailCode?: Secret | undefined;
  readonly phoneCode?: Secret | undefined;
}

/**
 * Creates a human user in an organization with the given data, and starts the verification of email address and phone
 * number.
 */
export async function createHuman(
  deps: CreateHumanDeps,
  call: Call,
  input: NewHuman & { readonly accounts: readonly NewAccount[] },
): Promise<CreatedUser> {
  const { organizationId, accounts } = input;
  requirePermission(call, "user.write", { organizationId });
  requireChoiceOfIdentifier(call, "user.write", { identifier: input.userId, field: "userId" });
  const prepared = await prepareHuman(deps, call, input);
  return deps.database.change(call, (tx) => createPreparedHumanWithAccounts(tx, deps, prepared, accounts));
}

/** Step: creates a prepared human user, with accounts at identity providers. Callers have checked the permission. */
export async function createPreparedHumanWithAccounts(
  tx: Tx,
  deps: CodeDeps & Pick<CreateHumanDeps, "tieAccount">,
  input: PreparedHuman,
  accounts: readonly NewAccount[],
): Promise<CreatedUser> {
  const added = await createPreparedHuman(tx, deps, await withWordOfProvider(tx, input, accounts));
  const user = { userId: added.userId, organizationId: input.organizationId };
  let { sequence } = added.details;
  for (const account of accounts) sequence = await deps.tieAccount(tx, user, { ...account, isForNewUser: true });
  return { ...added, details: { ...added.details, sequence } };
}

/**
 * A user who is created with an account at a provider of an organization is created on that provider's assertion, also
 * when another administrator repeats it: an administrator of the instance does not vouch for what it calls verified.
 */
async function withWordOfProvider(
  tx: Tx,
  input: PreparedHuman,
  accounts: readonly NewAccount[],
): Promise<PreparedHuman> {
  let owned: IdentityProvider | undefined;
  for (const { identityProviderId } of accounts) {
    const provider = await findIdentityProvider(tx, tx.instanceId, identityProviderId);
    if (provider !== undefined && provider.ownerOrganizationId !== "") owned = provider;
  }
  const isPassedOn =
    accounts.length > 0 && authorOfCredential(tx.call, { userId: "", organizationId: input.organizationId }) === "";
  if (owned === undefined && !isPassedOn) return input;
  // The caller repeats or passes on what the provider said; only the stored proof decides how far that counts.
  const namedBy = formatAuthor(authorOfNothing);
  const email = { ...input.email, namedBy };
  const phone = input.phone && { ...input.phone, namedBy };
  if (owned === undefined) return { ...input, email, phone };
  const { identityProviderId, ownerOrganizationId: organizationId, speaker } = owned;
  const trust: Verification = { by: "trust", proof: { by: "provider", identityProviderId, organizationId, speaker } };
  return {
    ...input,
    email: email.verification.by === "trust" ? { ...email, verification: trust } : email,
    phone: phone?.verification.by === "trust" ? { ...phone, verification: trust } : phone,
  };
}

/** A user to create whose password was checked and hashed. */
export type PreparedHuman = Omit<NewHuman, "password"> & { readonly password: PreparedPassword | undefined };

/** Checks and hashes the password of a user to create: before the unit of work, because that takes long. */
export async function prepareHuman(
  deps: Pick<PasswordDeps, "database" | "passwordHasher" | "settings">,
  call: Call,
  input: NewHuman,
): Promise<PreparedHuman> {
  const password = input.password && (await preparePassword(deps, call, passwordOwner(input), input.password));
  return { ...input, password };
}

/** Step: creates a prepared human user. Callers have checked the permission. */
export async function createPreparedHuman(tx: Tx, deps: CodeDeps, input: PreparedHuman): Promise<CreatedUser> {
  const { email, phone } = input;
  const isInitial = input.mayBeInitial === true && !isComplete(input);
  const user = await createHumanUser(tx, deps, toHumanUser(input, isInitial ? "initial" : "active"));
  await putUserMetadata(tx, user, input.metadata);
  if (isInitial) await sendInitialization(tx, deps, user);
  // The message with which an account begins also proves the address.
  const emailCode = isInitial
    ? undefined
    : await startVerification(tx, deps, user, { channel: "email", verification: email.verification });
  const phoneCode = phone && (await startVerification(tx, deps, user, { channel: "sms", ...phone }));
  await input.complete?.(tx, user);
  return { userId: user.userId, details: await readDetails(tx, user), emailCode, phoneCode };
}

/** Returns the user of a prepared input; what besides is made with them follows. */
export const toHumanUser = (input: PreparedHuman, state: "active" | "initial"): NewHumanUser => ({
  ...input,
  state,
  email: { address: input.email.address, namedBy: input.email.namedBy, ...toProven(input.email.verification) },
  phone: input.phone && {
    number: input.phone.number,
    namedBy: input.phone.namedBy,
    ...toProven(input.phone.verification),
  },
});

const toProven = (verification: Verification) => ({
  isVerified: verification.by === "trust",
  ...(verification.by === "trust" && { proof: verification.proof }),
});

const isComplete = ({ email, password, hasOtherSignInMethod = false }: PreparedHuman): boolean =>
  email.verification.by === "trust" && (password !== undefined || hasOtherSignInMethod);

const passwordOwner = ({ organizationId, username, email, profile }: NewHuman) => ({
  organizationId,
  username: username ?? email.address,
  email,
  profile,
});

async function startVerification(
  tx: Tx,
  deps: CodeDeps,
  user: HumanUser,
  { channel, verification }: { readonly channel: "email" | "sms"; readonly verification: Verification },
): Promise<Secret | undefined> {
  if (verification.by === "trust" || verification.by === "nothing") return undefined;
  const delivery: CodeDelivery = verification;
  return channel === "email"
    ? issueCode(tx, deps, user, { kind: "email_verification", channel, recipient: user.email.address, delivery })
    : issueCode(tx, deps, user, { kind: "phone_verification", channel, recipient: user.phone?.number ?? "", delivery });
}
