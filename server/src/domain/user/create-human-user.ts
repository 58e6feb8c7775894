import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Tx } from "../../database/index.ts";
import { parseEmail, parsePhone } from "./identifier.ts";
import { insertNewUser } from "./insert-new-user.ts";
import { type NewProfile, parseProfile } from "./profile.ts";
import type { HumanUser } from "./user.ts";

export interface NewHumanUser {
  readonly organizationId: string;
  /** Chosen by the caller, or generated. */
  readonly userId?: string | undefined;
  /** Defaults to the email address. */
  readonly username?: string | undefined;
  readonly profile: NewProfile;
  /** Active by default; only the first generation of the API knows users who have yet to begin. */
  readonly state?: "active" | "initial" | undefined;
  readonly email: {
    readonly address: string;
    readonly isVerified: boolean;
    /** Whether a code that was sent to the address proved it, not the word of an administrator. */
    readonly isProven?: boolean | undefined;
  };
  readonly phone?: { readonly number: string; readonly isVerified: boolean } | undefined;
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
  const user = await insertNewUser(
    tx,
    deps,
    {
      ...input,
      username: input.username ?? email.shown,
      email: { key: email.key, isVerified: input.email.isVerified },
    },
    {
      kind: "human",
      state: input.state,
      ...profile,
      email: email.shown,
      emailKey: email.key,
      isEmailVerified: input.email.isVerified,
      isEmailProven: input.email.isProven,
      phone: input.phone && parsePhone(input.phone.number, "phone"),
      isPhoneVerified: input.phone?.isVerified,
      passwordHash: input.password?.hash,
      isPasswordChangeRequired: input.password?.isChangeRequired,
    },
  );
  if (user.kind !== "human") throw new Fault("internal", "user.kind_unexpected");
  return user;
}
