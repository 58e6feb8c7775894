import type { Secret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { guardGuess } from "./guard-guess.ts";
import { redeemOrCount } from "./one-time-secret.store.ts";
import { digestOneTimeSecret, type OneTimeSecretKind } from "./one-time-secret.ts";

/**
 * `wrong`: there is such a secret, and this guess was counted. `absent`: there is none that could still be redeemed.
 */
export type Redemption =
  | { readonly outcome: "redeemed"; readonly bound: Readonly<Record<string, string>> }
  | { readonly outcome: "wrong" }
  | { readonly outcome: "absent" };

/**
 * Step: consumes a secret, or counts a wrong guess. The count must be committed, so a refusal is returned and not
 * thrown: a caller may throw because of it only after the unit of work. The user sees the same sentence for both
 * refusals.
 */
export async function redeemOneTimeSecret(
  tx: Tx,
  input: { readonly kind: OneTimeSecretKind; readonly subjectId: string; readonly secret: Secret },
): Promise<Redemption> {
  const { kind, subjectId } = input;
  // Nothing was entered: a missing field, and no guess.
  if (input.secret.reveal().trim() === "") return { outcome: "wrong" };
  const secretHash = digestOneTimeSecret({ instanceId: tx.instanceId, kind, subjectId }, input.secret);
  const row = await guardGuess(
    tx,
    { kind, subjectId },
    {
      evaluate: (maximumFailedAttempts) => redeemOrCount(tx, { kind, subjectId, secretHash, maximumFailedAttempts }),
      isRight: ({ isRedeemed }) => isRedeemed === 1,
    },
  );
  if (row === undefined) return { outcome: "absent" };
  if (row === "wrong") return { outcome: "wrong" };
  if (row.isRedeemed === 0) return { outcome: "wrong" };
  return { outcome: "redeemed", bound: JSON.parse(row.bound) as Record<string, string> };
}
