import type { Secret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { upsertOneTimeSecret } from "./one-time-secret.store.ts";
import { digestOneTimeSecret, type OneTimeSecretKind } from "./one-time-secret.ts";

export interface NewOneTimeSecret {
  readonly kind: OneTimeSecretKind;
  /** What the secret is about: a user id, mostly. */
  readonly subjectId: string;
  readonly secret: Secret;
  /** What the secret proves (the address it was sent to …); handed back when it is redeemed. */
  readonly bound: Readonly<Record<string, string>>;
  readonly lifetimeSeconds: number;
}

/** Step: stores a secret. The one of the same kind and subject before it, used or not, is dead from here on. */
export async function putOneTimeSecret(tx: Tx, input: NewOneTimeSecret): Promise<{ readonly expiresAt: number }> {
  const expiresAt = tx.now + input.lifetimeSeconds * 1000;
  await upsertOneTimeSecret(tx, {
    kind: input.kind,
    subjectId: input.subjectId,
    secretHash: digestOneTimeSecret({ instanceId: tx.instanceId, ...input }, input.secret),
    bound: JSON.stringify(input.bound),
    expiresAt,
  });
  return { expiresAt };
}
