import type { Reader } from "../../database/index.ts";
import { listReadyFactors } from "./factor.store.ts";
import type { FactorKind } from "./factor.ts";

/** Whether a kind is a factor by itself: recovery codes only stand in for another. */
export const isFactorByItself = (kind: FactorKind): boolean => kind !== "recovery_codes";

/** Whether a kind adds to a first factor: a passkey is one already. */
export const isSecondFactor = (kind: FactorKind): boolean => kind !== "passkey" && isFactorByItself(kind);

/** Whether a user can authenticate with a factor beside a password or a passkey. */
export const hasSecondFactor = async (reader: Reader, instanceId: string, userId: string): Promise<boolean> =>
  (await listReadyFactors(reader, instanceId, userId)).some(isSecondFactor);
