import { days, hours, type Instant } from "../../base/clock.ts";

export type SamlKeyState = "next" | "active" | "former";

/** A key without its private half. */
export interface SamlKeyRecord {
  readonly keyId: string;
  readonly state: SamlKeyState;
  /** DER in base64. */
  readonly certificate: string;
  readonly expiresAt: Instant;
  /** When a next key begins to sign, if an administrator decided it. */
  readonly signsAt: Instant | null;
  readonly sequence: number;
  /** When it was published. */
  readonly createdAt: Instant;
  readonly changedAt: Instant;
}

/** How long a certificate is valid: service providers often have it by hand. */
export const certificateLifetime = days(3 * 365);

// How long before its predecessor's end a successor is published, and signs.
const publishedBefore = days(90);
const signsBefore = days(30);

// How long a key that no longer signs stays in the metadata.
const keptAfter = days(30);

/**
 * How long our metadata is valid, and so how long service providers may use a copy that does not have a new certificate
 * yet: a key signs that long after it was published, at the earliest.
 */
export const samlMetadataLifetime = hours(24);

/** Returns when the successor of the active key is published by itself. */
export const publishesAt = (active: SamlKeyRecord): Instant => active.expiresAt - publishedBefore;

/** Returns when a key that was published at an instant signs, unless an administrator decided otherwise. */
export const usualSwitch = (active: SamlKeyRecord, publishedAt: Instant): Instant =>
  Math.min(active.expiresAt, publishedAt + (publishedBefore - signsBefore));

/** Returns when the next key takes over: at the latest when the certificate of the active one ends. */
export function switchesAt(active: SamlKeyRecord, next: SamlKeyRecord): Instant {
  const usual = Math.max(active.expiresAt - signsBefore, usualSwitch(active, next.createdAt));
  return Math.min(active.expiresAt, next.signsAt ?? usual);
}

/** Returns when a former key leaves the metadata. */
export const leavesAt = (former: SamlKeyRecord): Instant => former.changedAt + keptAfter;

/** Returns the event aggregate of a key; keys belong to the instance. */
export const samlKeyAggregate = (instanceId: string, keyId: string) =>
  ({ aggregateType: "saml_key", aggregateId: keyId, ownerId: instanceId }) as const;

/** Returns the context of the encrypted private key; it cannot be decrypted under any other. */
export const samlKeyContext = (instanceId: string, keyId: string): string =>
  `saml_keys/${instanceId}/${keyId}/private_key`;
