import { hash } from "node:crypto";
import type { Secret } from "../../base/secret.ts";

// 80 bits, more than NIST SP 800-63B-4 §3.1.2.2 requires for codes that are stored as plain hashes.
/** The format of recovery codes: sixteen characters, none of which looks like another. */
export const recoveryCodeFormat = { length: 16, alphabet: "ABCDEFGHJKLMNPQRSTUVWXYZ23456789", lifetimeSeconds: 0 };

/** Formats a code for people to note down: in groups of four. */
export const toLegible = (code: Secret): string => code.reveal().match(/.{4}/g)?.join("-") ?? "";

/**
 * Hashes a typed code for storage; grouping and case do not matter. The hash is bound to the instance and user, so that
 * it is useless elsewhere.
 */
export function digestRecoveryCode(
  owner: { readonly instanceId: string; readonly userId: string },
  typed: string,
): string {
  const code = typed.replace(/[\s-]/g, "").toUpperCase();
  return hash("sha256", JSON.stringify(["recovery_code", owner.instanceId, owner.userId, code]), "base64url");
}
