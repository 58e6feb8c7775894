import type { Random } from "../../base/random.ts";
import type { Secret } from "../../base/secret.ts";
import { hashSecret } from "../../base/secret.ts";
import { generateCode } from "../one-time-secret/index.ts";

// RFC 8628 §6.1: consonants only, so that no words are formed and no characters look alike. 34 bits in eight
// characters.
const alphabet = "BCDFGHJKLMNPQRSTVWXZ";
const length = 8;

/** Generates a user code, in capitals and without a dash. */
export const generateUserCode = (random: Random): Secret =>
  generateCode(random, { alphabet, length, lifetimeSeconds: 0 });

/** Formats a code for people: two groups with a dash between. */
export const formatUserCode = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;

/**
 * Normalizes what was typed to a code: any case, with spaces or dashes anywhere. Undefined when it cannot be a code.
 */
export function readUserCode(typed: string): string | undefined {
  if (typed.length > 100) return undefined;
  const code = typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
  const isCode = code.length === length && [...code].every((character) => alphabet.includes(character));
  return isCode ? code : undefined;
}

/** Hashes a code for storage. */
export const hashUserCode = (code: Secret | string): string => hashSecret(code);
