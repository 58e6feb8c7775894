import type { KeyObject } from "node:crypto";
import { generateKeyPair as generate, type KeyPairKind } from "../../base/key-pair.ts";
import type { SigningKeyParameters } from "./signing-key.ts";

/** A new pair that is not stored yet. */
export interface GeneratedKeyPair {
  readonly parameters: SigningKeyParameters;
  readonly privateKey: KeyObject;
}

/** Generates a key pair when its turn comes: RSA takes up to some seconds, so it happens before a unit of work. */
export async function generateKeyPair(
  parameters: SigningKeyParameters,
  signal?: AbortSignal,
): Promise<GeneratedKeyPair> {
  return { parameters, privateKey: (await generate(keyPairKindOf(parameters), signal)).privateKey };
}

/** Returns what has to be generated for the parameters of a key. */
export function keyPairKindOf(parameters: SigningKeyParameters): KeyPairKind {
  switch (parameters.kind) {
    case "rsa":
    // A plain RSA key, as JSON Web Keys know it: what makes it PSS is the padding of its signatures.
    case "rsa_pss":
      return { kind: "rsa", bits: parameters.bits };
    case "ecdsa":
      return { kind: "ec", curve: parameters.curve };
    case "ed25519":
      return { kind: "ed25519" };
    default:
      return parameters satisfies never;
  }
}
