import type { Details } from "../../database/index.ts";
import type { ContactProof } from "./contact-proof.ts";

export type UserKind = "human" | "machine";
export type UserState = "active" | "inactive" | "locked" | "initial";
export type Gender = "female" | "male" | "diverse";
export type AccessTokenFormat = "opaque" | "jwt";

interface CommonUser {
  readonly userId: string;
  readonly organizationId: string;
  readonly state: UserState;
  readonly username: string;
  /** `username@primarydomain`. */
  readonly preferredLoginName: string;
  readonly displayName: string;
  readonly details: Details;
}

export interface Profile {
  readonly givenName: string;
  readonly familyName: string;
  readonly nickName?: string;
  /** BCP 47 tag. */
  readonly preferredLanguage?: string;
  readonly gender?: Gender;
}

/** A human user. */
export interface HumanUser extends CommonUser {
  readonly kind: "human";
  readonly profile: Profile;
  readonly email: { readonly address: string; readonly isVerified: boolean; readonly proof?: ContactProof | undefined };
  readonly phone?: { readonly number: string; readonly isVerified: boolean; readonly proof?: ContactProof | undefined };
  /** Name of the file of the user's picture. */
  readonly avatarFile?: string;
  readonly hasPassword: boolean;
  readonly isPasswordChangeRequired: boolean;
  readonly passwordChangedAt?: number;
  /** Since when too many wrong guesses block the password; the user is still active. */
  readonly passwordBlockedAt?: number;
  /** When the user was last offered a second factor and postponed it. */
  readonly secondFactorSkippedAt?: number;
}

/** A service account; its name is the display name. */
export interface MachineUser extends CommonUser {
  readonly kind: "machine";
  readonly description: string;
  readonly accessTokenFormat: AccessTokenFormat;
  readonly hasSecret: boolean;
}

export type User = HumanUser | MachineUser;

/** Returns the event aggregate of a user. */
export function userAggregate(user: { readonly userId: string; readonly organizationId: string }) {
  return { aggregateType: "user", aggregateId: user.userId, ownerId: user.organizationId } as const;
}
