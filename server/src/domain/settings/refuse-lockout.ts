import type { Database, Tx } from "../../database/index.ts";
import type { RefuseLockout } from "../organization/index.ts";
import type { GetSettingsDeps } from "./get-settings.ts";
import type { SettingsKind } from "./settings.ts";

export interface WriteSettingsDeps {
  readonly database: Database;
  readonly refuseLockout: RefuseLockout;
}

/** Dependencies of methods that read and write settings. */
export type SettingsDeps = GetSettingsDeps & WriteSettingsDeps;

/** Step: `refuseLockout` around a change of settings of any kind. */
export function refuseLockoutBy<Result>(
  { refuseLockout }: WriteSettingsDeps,
  tx: Tx,
  { kind, organizationId = "" }: { readonly kind: SettingsKind; readonly organizationId?: string },
  change: () => Promise<Result>,
): Promise<Result> {
  return kind === "login" ? refuseLockout(tx, organizationId, change) : change();
}
