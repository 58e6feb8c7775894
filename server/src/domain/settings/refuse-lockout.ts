import type { Database, Tx } from "../../database/index.ts";
import type { GetSettingsDeps } from "./get-settings.ts";
import type { SettingsKind } from "./settings.ts";

/**
 * Step of a later module (`sign-in-method`), after login settings or a provider changed: refuses it when administrators
 * who belong to the organization could no longer sign in.
 */
export type RefuseLockout = (tx: Tx, organizationId: string) => Promise<void>;

export interface WriteSettingsDeps {
  readonly database: Database;
  readonly refuseLockout: RefuseLockout;
}

/** Dependencies of methods that read and write settings. */
export type SettingsDeps = GetSettingsDeps & WriteSettingsDeps;

/** Step: the same, after settings of any kind changed. */
export async function refuseLockoutBy(
  { refuseLockout }: WriteSettingsDeps,
  tx: Tx,
  { kind, organizationId = "" }: { readonly kind: SettingsKind; readonly organizationId?: string },
): Promise<void> {
  if (kind === "login" && organizationId !== "") await refuseLockout(tx, organizationId);
}
