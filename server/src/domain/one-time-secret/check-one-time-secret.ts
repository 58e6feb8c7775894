import type { Secret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { checkOrCount } from "./one-time-secret.store.ts";
import { digestOneTimeSecret, type OneTimeSecretKind } from "./one-time-secret.ts";
import { maximumFailedAttempts } from "./redeem-one-time-secret.ts";

/**
 * Step: whether a secret is the right one, for who goes on with it in several steps; the last of them has to redeem it. Wrong guesses are counted as
 * by redeeming, so the same holds for a refusal: it is returned, for the count to be committed.
 */
export async function checkOneTimeSecret(
  tx: Tx,
  input: { readonly kind: OneTimeSecretKind; readonly subjectId: string; readonly secret: Secret },
): Promise<"right" | "wrong" | "absent"> {
  const { kind, subjectId } = input;
  const secretHash = digestOneTimeSecret({ instanceId: tx.instanceId, kind, subjectId }, input.secret);
  const row = await checkOrCount(tx, { kind, subjectId, secretHash, maximumFailedAttempts });
  if (row === undefined) return "absent";
  return row.isRight === 1 ? "right" : "wrong";
}
