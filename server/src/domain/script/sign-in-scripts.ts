import type { Call } from "../../call/index.ts";
import type { MetadataEntry } from "../metadata/index.ts";
import type { Gender } from "../user/index.ts";
import type { ScriptTrust } from "./script-trust.ts";

/** What a user proved, in the words of the interface. */
export type ScriptAuthentication = "password" | "OTP" | "U2F" | "passwordless";

/** What scripts ask to change of a user who is being created. Nothing of it is trusted more than the organization. */
export interface PersonChange {
  readonly givenName?: string;
  readonly familyName?: string;
  readonly nickName?: string;
  readonly displayName?: string;
  readonly preferredLanguage?: string;
  readonly gender?: Gender;
  readonly username?: string;
  readonly email?: string;
  readonly isEmailVerified?: boolean;
  readonly phone?: string;
  readonly isPhoneVerified?: boolean;
  readonly metadata: readonly MetadataEntry[];
}

/** The change of no script. */
export const unchanged: PersonChange = { metadata: [] };

export type SignInFlow = "external_authentication" | "internal_authentication";

/** A user of an organization whose scripts run. */
interface Signer {
  readonly userId: string;
  readonly organizationId: string;
}

/**
 * Runs the scripts of organizations around sign-ins and registrations; implemented by a later layer (`extension`). A
 * script that fails and may not throws the Fault `execution.failed`. `input` is what its `ctx` is made of.
 */
export interface SignInScripts {
  /** After a user of the organization proved something here. */
  afterProof(
    call: Call,
    input: Signer & { readonly method: ScriptAuthentication; readonly input: object },
  ): Promise<void>;
  /** After a provider said who the user is, who has to do with the organization. */
  afterProvider(
    call: Call,
    input: {
      readonly organizationId: string;
      /** `trust`: that of the script that it is for. */
      readonly input: (change: PersonChange, trust: ScriptTrust) => object;
    },
  ): Promise<PersonChange>;
  /** Before a user is created in the organization. */
  beforeCreation(
    call: Call,
    input: {
      readonly organizationId: string;
      readonly flow: SignInFlow;
      readonly input: (change: PersonChange) => object;
    },
  ): Promise<PersonChange>;
  /** After a user was created in the organization; failures are only logged. */
  afterCreation(call: Call, input: Signer & { readonly flow: SignInFlow; readonly input: object }): Promise<void>;
  /** Sets metadata that scripts asked for, of an existing user; what is refused is logged. */
  remember(call: Call, user: Signer, metadata: readonly MetadataEntry[]): Promise<void>;
}
