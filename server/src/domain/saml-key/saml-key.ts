import { days } from "../../base/clock.ts";

export type SamlKeyState = "next" | "active" | "former";

/** A key without its private half. */
export interface SamlKeyRecord {
  readonly keyId: string;
  readonly state: SamlKeyState;
  /** DER in base64. */
  readonly certificate: string;
  readonly expiresAt: number;
  readonly sequence: number;
  readonly changedAt: number;
}

/** How long a certificate is valid: service providers often have it by hand. */
export const certificateLifetime = days(3 * 365);

/** How long before its predecessor's end a successor is published, and signs. */
export const publishedBefore = days(90);
export const signsBefore = days(30);

/** How long a key that no longer signs stays in the metadata. */
export const keptAfter = days(30);

/** Returns the event aggregate of a key; keys belong to the instance. */
export const samlKeyAggregate = (instanceId: string, keyId: string) =>
  ({ aggregateType: "saml_key", aggregateId: keyId, ownerId: instanceId }) as const;

/** Returns the context of the encrypted private key; it cannot be decrypted under any other. */
export const samlKeyContext = (instanceId: string, keyId: string): string =>
  `saml_keys/${instanceId}/${keyId}/private_key`;
