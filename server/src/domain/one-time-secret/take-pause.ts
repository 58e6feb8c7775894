import type { Tx } from "../../database/index.ts";
import { occupySubject } from "./one-time-secret.store.ts";
import type { OneTimeSecretKind } from "./one-time-secret.ts";

/**
 * Step: admits one of all callers for the same kind and subject within a period. False for the
 * callers that are too early; of several concurrent ones, one is admitted.
 */
export const takePause = (
  tx: Tx,
  { kind, subjectId, milliseconds }: { kind: OneTimeSecretKind; subjectId: string; milliseconds: number },
): Promise<boolean> => occupySubject(tx, { kind, subjectId, expiresAt: tx.now + milliseconds });
