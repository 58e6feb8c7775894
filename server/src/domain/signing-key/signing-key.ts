import type { SigningAlgorithm } from "../../base/jose/index.ts";
import type { Details } from "../../database/index.ts";

export type SigningKeyState = "initial" | "active" | "inactive";

/** The kind of a key, in the contract's terms. */
export type SigningKeyParameters =
  | { readonly kind: "rsa"; readonly bits: 2048 | 3072 | 4096; readonly hash: "sha256" | "sha384" | "sha512" }
  | { readonly kind: "rsa_pss"; readonly bits: 2048 | 3072 | 4096 }
  | { readonly kind: "ecdsa"; readonly curve: "P-256" | "P-384" | "P-521" }
  | { readonly kind: "ed25519" };

/** A signing key without its key material. */
export interface SigningKeyRecord {
  readonly keyId: string;
  readonly algorithm: SigningAlgorithm;
  readonly parameters: SigningKeyParameters;
  readonly state: SigningKeyState;
  readonly details: Details;
}

const rsaAlgorithms = { sha256: "RS256", sha384: "RS384", sha512: "RS512" } as const;
const ecdsaAlgorithms = { "P-256": "ES256", "P-384": "ES384", "P-521": "ES512" } as const;

/** Returns the one algorithm that a key signs with. */
export function algorithmFor(parameters: SigningKeyParameters): SigningAlgorithm {
  switch (parameters.kind) {
    case "rsa":
      return rsaAlgorithms[parameters.hash];
    case "rsa_pss":
      return "PS256";
    case "ecdsa":
      return ecdsaAlgorithms[parameters.curve];
    case "ed25519":
      return "EdDSA";
    default:
      return parameters satisfies never;
  }
}

/** Returns the parameters of a stored key. `bits` is null except for RSA. */
export function parametersOf(algorithm: SigningAlgorithm, bits: number | null): SigningKeyParameters {
  switch (algorithm) {
    case "RS256":
      return { kind: "rsa", bits: bits as 2048, hash: "sha256" };
    case "RS384":
      return { kind: "rsa", bits: bits as 2048, hash: "sha384" };
    case "RS512":
      return { kind: "rsa", bits: bits as 2048, hash: "sha512" };
    case "PS256":
      return { kind: "rsa_pss", bits: bits as 2048 };
    case "ES256":
      return { kind: "ecdsa", curve: "P-256" };
    case "ES384":
      return { kind: "ecdsa", curve: "P-384" };
    case "ES512":
      return { kind: "ecdsa", curve: "P-521" };
    case "EdDSA":
      return { kind: "ed25519" };
    default:
      return algorithm satisfies never;
  }
}

/** Returns the event aggregate of a signing key; keys belong to the instance. */
export function signingKeyAggregate(instanceId: string, keyId: string) {
  return { aggregateType: "signing_key", aggregateId: keyId, ownerId: instanceId } as const;
}

/** Returns the context of the encrypted private key; it cannot be decrypted under any other. */
export const privateKeyContext = (instanceId: string, keyId: string): string =>
  `signing_keys/${instanceId}/${keyId}/private_key`;
