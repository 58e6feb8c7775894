import { shownLoginName } from "../../base/names/shown-login-name.ts";
import type { KeyFactor } from "../factor/index.ts";
import { ceremonySeconds, type ReadyCredential, userHandleOf } from "./key-credential.ts";

export interface CreationOptions {
  readonly kind: KeyFactor;
  readonly relyingPartyId: string;
  readonly challenge: string;
  readonly user: { readonly userId: string; readonly preferredLoginName: string; readonly displayName: string };
  readonly existing: readonly ReadyCredential[];
  readonly attachment: "platform" | "cross-platform" | undefined;
}

// Ed25519, ECDSA with P-256, RSA (IANA COSE Algorithms): all that authenticators use.
const algorithms = [-8, -7, -257];

/** Argument of `navigator.credentials.create()` as JSON (WebAuthn §5.4); binary members are base64url. */
export function toCreationOptions(options: CreationOptions) {
  const { kind, relyingPartyId, challenge, user, existing, attachment } = options;
  const isPasskey = kind === "passkey";
  return {
    publicKey: {
      rp: { id: relyingPartyId, name: relyingPartyId },
      user: {
        id: userHandleOf(user.userId),
        name: shownLoginName(user.preferredLoginName),
        displayName: user.displayName,
      },
      challenge,
      pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
      timeout: ceremonySeconds * 1000,
      excludeCredentials: existing.map(toDescriptor),
      authenticatorSelection: toSelection(isPasskey, attachment),
      attestation: "none",
    },
  };
}

function toSelection(isPasskey: boolean, attachment: CreationOptions["attachment"]): Record<string, string | boolean> {
  return {
    ...(attachment !== undefined && { authenticatorAttachment: attachment }),
    residentKey: isPasskey ? "required" : "discouraged",
    requireResidentKey: isPasskey,
    userVerification: isPasskey ? "required" : "discouraged",
  };
}

/** Describes a credential to a browser. */
export const toDescriptor = ({ webauthnId, transports }: ReadyCredential) => ({
  type: "public-key",
  id: webauthnId,
  transports: [...transports],
});
