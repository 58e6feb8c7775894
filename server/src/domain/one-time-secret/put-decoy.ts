import type { Tx } from "../../database/index.ts";
import { putUnmatched } from "./one-time-secret.store.ts";
import type { OneTimeSecretKind } from "./one-time-secret.ts";

interface Decoy {
  readonly kind: OneTimeSecretKind;
  readonly subjectId: string;
  readonly lifetimeSeconds: number;
  /** Milliseconds for which a secret of the kind and subject is not replaced. */
  readonly pause: number;
}

/**
 * Step: stores what takes guesses as a secret does, and that none matches, so that guesses do not tell whether there is
 * a secret. One that was put within the pause stays.
 */
export const putDecoy = (tx: Tx, { kind, subjectId, lifetimeSeconds, pause }: Decoy): Promise<void> =>
  putUnmatched(tx, { kind, subjectId, expiresAt: tx.now + lifetimeSeconds * 1000 }, tx.now - pause);
