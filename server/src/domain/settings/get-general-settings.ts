import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { findInstance } from "../instance/index.ts";
import { type GetSettingsDeps, requirePolicyRead } from "./get-settings.ts";

export interface GeneralInstanceSettings {
  readonly defaultLanguage: string;
  readonly defaultOrganizationId: string;
  /** Languages that may be chosen; all supported ones when empty. */
  readonly allowedLanguages: readonly string[];
}

/** Returns languages and default organization of the instance, for callers who may read settings in some scope. */
export async function getGeneralSettings(deps: GetSettingsDeps, call: Call): Promise<GeneralInstanceSettings> {
  requirePolicyRead(call);
  const instance = await findInstance(deps.database.read, call.instanceId);
  if (instance === undefined) throw new Fault("not_found", "instance.not_found");
  const { settings } = await deps.settings.get("general", { instanceId: call.instanceId });
  const { defaultLanguage, defaultOrganizationId } = instance;
  return { defaultLanguage, defaultOrganizationId, allowedLanguages: settings.allowedLanguages };
}
