import type { Reader } from "../../database/index.ts";
import { listReadyFactors } from "./factor.store.ts";
import type { FactorKind } from "./factor.ts";

/** Whether a kind adds to a first factor: a passkey is one itself, and recovery codes only stand in for another. */
export const isSecondFactor = (kind: FactorKind): boolean => kind !== "passkey" && kind !== "recovery_codes";

/** Whether a user can authenticate with a factor beside a password or a passkey. */
export const hasSecondFactor = async (reader: Reader, instanceId: string, userId: string): Promise<boolean> =>
  (await listReadyFactors(reader, instanceId, userId)).some(isSecondFactor);
