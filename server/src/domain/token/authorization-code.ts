import type { Random } from "../../base/random.ts";
import { hashSecret, type Secret } from "../../base/secret.ts";
import { generateToken } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import {
  consumeAuthorizationCode,
  findFamilyOfSpentCode,
  insertAuthorizationCode,
  type SpentCode,
} from "./authorization-code.store.ts";
import type { CodeIssuance } from "./code-issuance.ts";

/** Step: creates a code for an answered authorization request. */
export function createAuthorizationCode(
  tx: Tx,
  deps: { readonly random: Random },
  input: {
    readonly clientId: string;
    readonly authRequestId: string;
    readonly issuance: CodeIssuance;
    readonly lifetime: number;
  },
): Secret {
  const code = generateToken("authorizationCode", deps.random);
  insertAuthorizationCode(tx, {
    codeHash: hashSecret(code),
    clientId: input.clientId,
    authRequestId: input.authRequestId,
    issuance: input.issuance,
    expiresAt: tx.now + input.lifetime,
  });
  return code;
}

/** `reused`: the same client spent the code before; what it was exchanged for must be revoked (RFC 6749 §4.1.2). */
export type Redemption =
  | ({ readonly kind: "redeemed" } & SpentCode)
  | { readonly kind: "reused"; readonly familyId: string }
  | { readonly kind: "refused" };

/**
 * Step: redeems a code of the client for a family, which the caller then starts, once. Another client's code is not
 * spent by trying.
 */
export async function redeemAuthorizationCode(
  tx: Tx,
  code: string,
  by: { readonly clientId: string; readonly familyId: string },
): Promise<Redemption> {
  const codeHash = hashSecret(code);
  const spent = await consumeAuthorizationCode(tx, { codeHash, ...by });
  if (spent !== undefined) return { kind: "redeemed", ...spent };
  const familyId = await findFamilyOfSpentCode(tx, tx.instanceId, codeHash, by.clientId);
  return familyId === undefined ? { kind: "refused" } : { kind: "reused", familyId };
}
