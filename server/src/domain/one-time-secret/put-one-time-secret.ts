import type { Secret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { renewGuesses } from "./guard-guess.ts";
import { upsertOneTimeSecret } from "./one-time-secret.store.ts";
import { digestOneTimeSecret, type OneTimeSecretKind } from "./one-time-secret.ts";

export interface NewOneTimeSecret {
  readonly kind: OneTimeSecretKind;
  /** The subject of the secret: mostly a user id. */
  readonly subjectId: string;
  readonly secret: Secret;
  /** What the secret proves (such as the address that it was sent to); returned when it is redeemed. */
  readonly bound: Readonly<Record<string, string>>;
  readonly lifetimeSeconds: number;
}

/** Step: stores a secret. The former secret of the same kind and subject, used or not, becomes invalid. */
export async function putOneTimeSecret(tx: Tx, input: NewOneTimeSecret): Promise<{ readonly expiresAt: number }> {
  const expiresAt = tx.now + input.lifetimeSeconds * 1000;
  await renewGuesses(tx, input);
  await upsertOneTimeSecret(tx, {
    kind: input.kind,
    subjectId: input.subjectId,
    secretHash: digestOneTimeSecret({ instanceId: tx.instanceId, ...input }, input.secret),
    bound: JSON.stringify(input.bound),
    expiresAt,
  });
  return { expiresAt };
}
