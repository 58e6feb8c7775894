import type { Secret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { guardGuess } from "./guard-guess.ts";
import { checkOrCount } from "./one-time-secret.store.ts";
import { digestOneTimeSecret, type OneTimeSecretKind } from "./one-time-secret.ts";

/**
 * Step: whether a secret is right, for a caller that proceeds in several requests and redeems it in the last one. Wrong
 * guesses are counted as they are when redeeming, so a refusal is returned and not thrown here as well: the count must
 * be committed.
 */
export async function checkOneTimeSecret(
  tx: Tx,
  input: { readonly kind: OneTimeSecretKind; readonly subjectId: string; readonly secret: Secret },
): Promise<"right" | "wrong" | "absent"> {
  const { kind, subjectId } = input;
  // Nothing was entered: a missing field, which does not count as a guess.
  if (input.secret.reveal().trim() === "") return "wrong";
  const secretHash = digestOneTimeSecret({ instanceId: tx.instanceId, kind, subjectId }, input.secret);
  const row = await guardGuess(
    tx,
    { kind, subjectId },
    {
      evaluate: (maximumFailedAttempts) => checkOrCount(tx, { kind, subjectId, secretHash, maximumFailedAttempts }),
      isRight: ({ isRight }) => isRight === 1,
    },
  );
  if (row === undefined) return "absent";
  if (row === "wrong") return "wrong";
  return row.isRight === 1 ? "right" : "wrong";
}
