import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import type { RefuseLockout } from "../organization/index.ts";
import { authorizeDocument } from "./authorize-document.ts";
import type { GetSettingsDeps } from "./get-settings.ts";
import type { SettingsKind } from "./settings.ts";

export interface WriteSettingsDeps {
  readonly database: Database;
  readonly refuseLockout: RefuseLockout;
}

/** Dependencies of methods that read and write settings. */
export type SettingsDeps = GetSettingsDeps & WriteSettingsDeps;

/**
 * Runs a change of settings of any kind; that of an organization's login with `refuseLockout` around it. Administrators
 * are judged only for callers who may change the settings.
 */
export function changeSettings<Result>(
  { database, refuseLockout }: WriteSettingsDeps,
  call: Call,
  { kind, organizationId = "" }: { readonly kind: SettingsKind; readonly organizationId?: string },
  verb: "write" | "delete",
  change: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  if (kind !== "login" || organizationId === "") return database.change(call, change);
  return database.changeAtLength(call, async (tx) => {
    await authorizeDocument(tx, call, { organizationId, kind }, verb);
    return refuseLockout(tx, organizationId, () => change(tx));
  });
}
