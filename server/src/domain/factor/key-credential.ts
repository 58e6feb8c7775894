import type { Instant } from "../../base/clock.ts";
import type { KeyFactor } from "./factor.ts";

/** A passkey or security key of a person. */
export interface KeyCredential {
  readonly credentialId: string;
  readonly userId: string;
  readonly kind: KeyFactor;
  /** `pending`: its registration was not completed. */
  readonly state: "pending" | "ready";
  readonly name: string;
  /** The host that it works for. */
  readonly relyingPartyId: string;
  /** When its registration began. */
  readonly createdAt: Instant;
}

/** What signatures of a credential are checked with. */
export interface KeyMaterial {
  /** As the authenticator names the credential; base64url. */
  readonly webauthnId: string;
  /** COSE key, base64url. */
  readonly publicKey: string;
  /** How often the authenticator says that it has signed; 0 for those that do not count. */
  readonly signCount: number;
  /** How browsers reach the authenticator. */
  readonly transports: readonly string[];
}

/** A credential that can sign in. */
export type ReadyCredential = KeyCredential & KeyMaterial;

/** Seconds in which the browser has to come back with what the authenticator made. */
export const ceremonySeconds = 300;

/** A registration that waits to be completed is forgotten at this instant. */
export const registrationEnd = (now: Instant): Instant => now + ceremonySeconds * 1000;

/** The user handle (WebAuthn §5.4.3): what a discoverable credential tells of its user. */
export const userHandleOf = (userId: string): string => Buffer.from(userId, "utf8").toString("base64url");

/** Whom a challenge is bound to that whoever's passkey may answer. */
export const anybody = "";
