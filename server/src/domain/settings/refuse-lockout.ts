import type { Database, Tx } from "../../database/index.ts";
import type { GetSettingsDeps } from "./get-settings.ts";
import type { SettingsKind } from "./settings.ts";

/**
 * Step of a later module (`administrator-lockout`), around a change of an organization's login settings or providers:
 * refuses it when administrators who belong to the organization could sign in before and no longer can.
 */
export type RefuseLockout = <Result>(tx: Tx, organizationId: string, change: () => Promise<Result>) => Promise<Result>;

export interface WriteSettingsDeps {
  readonly database: Database;
  readonly refuseLockout: RefuseLockout;
}

/** Dependencies of methods that read and write settings. */
export type SettingsDeps = GetSettingsDeps & WriteSettingsDeps;

/** Step: the same, around a change of settings of any kind. */
export function refuseLockoutBy<Result>(
  { refuseLockout }: WriteSettingsDeps,
  tx: Tx,
  { kind, organizationId = "" }: { readonly kind: SettingsKind; readonly organizationId?: string },
  change: () => Promise<Result>,
): Promise<Result> {
  return kind === "login" ? refuseLockout(tx, organizationId, change) : change();
}
