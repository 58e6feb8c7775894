import { hash } from "node:crypto";
import type { Secret } from "../../base/secret.ts";

// 80 bits, more than NIST SP 800-63B-4 §3.1.2.2 asks of codes that are stored under a plain hash.
/** How recovery codes are made: sixteen characters, none of which looks like another. */
export const recoveryCodeFormat = { length: 16, alphabet: "ABCDEFGHJKLMNPQRSTUVWXYZ23456789", lifetimeSeconds: 0 };

/** A code as people note it: in groups of four. */
export const toLegible = (code: Secret): string => code.reveal().match(/.{4}/g)?.join("-") ?? "";

/** What is stored of a code as it was typed: groups and capitals are for the eye. Bound to its place, so that it proves nothing elsewhere. */
export function digestRecoveryCode(
  place: { readonly instanceId: string; readonly userId: string },
  typed: string,
): string {
  const code = typed.replace(/[\s-]/g, "").toUpperCase();
  return hash("sha256", JSON.stringify(["recovery_code", place.instanceId, place.userId, code]), "base64url");
}
