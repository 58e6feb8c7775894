import { generateKeyPair as generate, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { SigningKeyParameters } from "./signing-key.ts";

const generateAsync = promisify(generate);

/** A new pair that is not stored yet. */
export interface GeneratedKeyPair {
  readonly parameters: SigningKeyParameters;
  readonly privateKey: KeyObject;
}

/**
 * Generates a key pair in the thread pool: RSA takes from ten milliseconds to some seconds, so it happens before a unit
 * of work.
 */
export async function generateKeyPair(parameters: SigningKeyParameters): Promise<GeneratedKeyPair> {
  return { parameters, privateKey: (await generateHalves(parameters)).privateKey };
}

function generateHalves(parameters: SigningKeyParameters): Promise<{ privateKey: KeyObject }> {
  switch (parameters.kind) {
    case "rsa":
    // A plain RSA key, as JSON Web Keys know it: what makes it PSS is the padding of its signatures.
    case "rsa_pss":
      return generateAsync("rsa", { modulusLength: parameters.bits });
    case "ecdsa":
      return generateAsync("ec", { namedCurve: parameters.curve });
    case "ed25519":
      return generateAsync("ed25519");
    default:
      return parameters satisfies never;
  }
}
