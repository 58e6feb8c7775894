import type { IdGenerator } from "../../base/id.ts";
import type { Tx } from "../../database/index.ts";
import { type Identifier, parseEmail, parsePhone } from "../login-name/index.ts";
import {
  assertedBy,
  authorOfContact,
  authorOfCredential,
  type ContactProof,
  type HumanUser,
  insertUser,
  type NewProfile,
  parseProfile,
  type UserInsert,
} from "../user/index.ts";
import { type AccountColumns, formAccount, recordNewUser } from "./new-account.ts";

export interface NewHumanUser {
  readonly organizationId: string;
  /** Chosen by the caller, or generated. */
  readonly userId?: string | undefined;
  /** Defaults to the email address. */
  readonly username?: string | undefined;
  readonly profile: NewProfile;
  /** Active by default; only the first generation of the API knows users who have yet to begin. */
  readonly state?: "active" | "initial" | undefined;
  /** With `isVerified`, the proof; an assertion of the caller when absent. */
  readonly email: {
    readonly address: string;
    readonly isVerified: boolean;
    readonly proof?: ContactProof | undefined;
    /** Who named the address, as it is stored; the caller when absent (`authorOfCredential`). */
    readonly namedBy?: string | undefined;
  };
  readonly phone?:
    | {
        readonly number: string;
        readonly isVerified: boolean;
        readonly proof?: ContactProof | undefined;
        readonly namedBy?: string | undefined;
      }
    | undefined;
  /** The stored form of the password (`PasswordHasher`): hashing takes long, so it happens before the unit of work. */
  readonly password?: { readonly hash: string; readonly isChangeRequired: boolean } | undefined;
}

/** Step: creates a human user. */
export async function createHumanUser(
  tx: Tx,
  deps: { readonly newId: IdGenerator },
  input: NewHumanUser,
): Promise<HumanUser> {
  const email = parseEmail(input.email.address, "email");
  const profile = parseProfile(input.profile);
  const account = await formAccount(tx, deps, {
    ...input,
    username: input.username ?? email.shown,
    email: { key: email.key, isVerified: input.email.isVerified },
  });
  const user = await insertUser(tx, toHumanInsert(tx, account, input, { email, profile }));
  return recordNewUser(tx, account, "human", user);
}

/** Step: returns what a human user is inserted with, by the account that was formed and what was parsed. */
export function toHumanInsert(
  tx: Tx,
  account: AccountColumns,
  input: NewHumanUser,
  { email, profile }: { readonly email: Identifier; readonly profile: ReturnType<typeof parseProfile> },
): UserInsert {
  const namer = authorOfContact(tx.call, account);
  return {
    ...account,
    kind: "human",
    state: input.state,
    ...profile,
    email: email.shown,
    emailKey: email.key,
    isEmailVerified: input.email.isVerified,
    emailProof: proofIn(tx, input, input.email),
    emailAuthor: input.email.namedBy ?? namer,
    phone: input.phone && parsePhone(input.phone.number, "phone"),
    isPhoneVerified: input.phone?.isVerified,
    phoneProof: proofIn(tx, input, input.phone),
    phoneAuthor: input.phone && (input.phone.namedBy ?? namer),
    passwordHash: input.password?.hash,
    passwordAuthor: input.password && authorOfCredential(tx.call, account),
    isPasswordChangeRequired: input.password?.isChangeRequired,
  };
}

const proofIn = (
  { call }: Tx,
  { organizationId }: Pick<NewHumanUser, "organizationId">,
  contact: { readonly isVerified: boolean; readonly proof?: ContactProof | undefined } | undefined,
): ContactProof | undefined =>
  contact?.isVerified === true ? (contact.proof ?? assertedBy(call, organizationId)) : undefined;
