import type { LongTx } from "../../database/index.ts";

/** The fault of a change that is not one of settings: its sentence, and the field of the request. */
export interface LockoutRefusal {
  readonly slug: string;
  readonly field: string;
}

/**
 * Step of a later module (`administrator-lockout`), around a change of an organization's login settings, providers or
 * proven domains: refuses it when administrators who belong to the organization could sign in before and no longer can.
 * It reads what all of them have, so the unit takes its turn before (`changeAtLength`). Without `refusal`, the fault
 * names the settings that would have to stay.
 */
export type RefuseLockout = <Result>(
  tx: LongTx,
  organizationId: string,
  change: () => Promise<Result>,
  refusal?: LockoutRefusal,
) => Promise<Result>;
