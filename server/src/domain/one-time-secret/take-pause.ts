import type { Tx } from "../../database/index.ts";
import { takePlace } from "./one-time-secret.store.ts";
import type { OneTimeSecretKind } from "./one-time-secret.ts";

/**
 * Step: lets one through of all who come for the same in a while, whoever they are. False for everybody who comes too early; of several who come at
 * once one is let through.
 */
export const takePause = (
  tx: Tx,
  { kind, subjectId, milliseconds }: { kind: OneTimeSecretKind; subjectId: string; milliseconds: number },
): Promise<boolean> => takePlace(tx, { kind, subjectId, expiresAt: tx.now + milliseconds });
