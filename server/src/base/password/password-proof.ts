import { hashSecret } from "../secret.ts";

/**
 * Returns what identifies the password that was proven, by the hash that it was checked against. Instants do not: a
 * replacement has that of its beginning, by the clock of its node.
 */
export const passwordProofOf = (passwordHash: string): string => hashSecret(passwordHash);
