import type { Instant } from "../../base/clock.ts";
import type { KeyFactor } from "../factor/index.ts";

/** A passkey or security key of a user. */
export interface KeyCredential {
  readonly credentialId: string;
  readonly userId: string;
  readonly kind: KeyFactor;
  /** `pending`: its registration was not completed. */
  readonly state: "pending" | "ready";
  readonly name: string;
  /** The host for which it works. */
  readonly relyingPartyId: string;
  /** When its registration began. */
  readonly createdAt: Instant;
}

/** What signatures of a credential are verified with. */
export interface KeyMaterial {
  /** The authenticator's id of the credential; base64url. */
  readonly webauthnId: string;
  /** COSE key, base64url. */
  readonly publicKey: string;
  /** The authenticator's count of signatures; 0 for those that do not count. */
  readonly signCount: number;
  /** Transports by which browsers reach the authenticator. */
  readonly transports: readonly string[];
}

/** A credential that can sign in. */
export type ReadyCredential = KeyCredential &
  KeyMaterial & {
    /** The administrator who could register it; empty where the user did, null where that is not known. */
    readonly author: string | null;
    /**
     * Whether a message let its reader register it: it proves no more than the mailbox, and is one factor beside a
     * second one that the user has.
     */
    readonly isFromMessage: boolean;
    /**
     * Of one from a message: whether the user had a key of their own when its registration began; null where that is
     * not known.
     */
    readonly isBesideOwn: boolean | null;
  };

/** Seconds in which the browser must return the result of the ceremony. */
export const ceremonySeconds = 300;

/** Returns the instant at which an incomplete registration expires. */
export const registrationEnd = (now: Instant): Instant => now + ceremonySeconds * 1000;

/** Returns the user handle (WebAuthn §5.4.3), by which a discoverable credential identifies its user. */
export const userHandleOf = (userId: string): string => Buffer.from(userId, "utf8").toString("base64url");

/** The user id in challenges that a passkey of any user may answer. */
export const anyUser = "";
