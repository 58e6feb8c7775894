import type { Call } from "../../../../call/index.ts";
import type { Details } from "../../../../database/index.ts";
import {
  getSettings,
  resetSettings,
  type SettingsDeps,
  type SettingsDocuments,
  type SettingsKind,
  updateSettings,
} from "../../../../domain/settings/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";
import { type FieldsOf, type Given, readFields } from "../../../settings/fields.ts";
import { toPolicy } from "./policy-message.ts";

/** Returns the methods that every policy has: settings of a kind, with the fields of a table. */
export function methodsOfPolicy<Kind extends SettingsKind, Fields extends FieldsOf<SettingsDocuments[Kind]>>(
  deps: SettingsDeps,
  kind: Kind,
  fields: Fields,
) {
  const write = async (call: Call, organizationId: string, given: Given<Fields, "v1">, isNew: boolean) =>
    answer(
      await updateSettings(deps, call, {
        kind,
        isNew,
        ...(organizationId !== "" && { organizationId }),
        // A request replaces the members that the first generation has, and nothing else.
        change: (current) => readFields<SettingsDocuments[Kind], Fields, "v1">(fields, "v1", { given, current }),
      }),
    );
  const get = async (call: Call, organizationId: string) => {
    const found = await getSettings(deps, call, { kind, ...(organizationId !== "" && { organizationId }) });
    return { policy: toPolicy<SettingsDocuments[Kind], Fields>(fields, found), isDefault: found.source === "instance" };
  };
  return {
    /** Of an organization. */
    get,
    /** Of the instance. */
    getDefault: async (call: Call) => ({ policy: (await get(call, "")).policy }),
    add: (call: Call, organizationId: string, request: Given<Fields, "v1">) =>
      write(call, organizationId, request, true),
    update: (call: Call, organizationId: string, request: Given<Fields, "v1">) =>
      write(call, organizationId, request, false),
    /** Of the instance, which has one from the start. */
    addDefault: (call: Call, request: Given<Fields, "v1">) => write(call, "", request, true),
    updateDefault: (call: Call, request: Given<Fields, "v1">) => write(call, "", request, false),
    reset: async (call: Call, organizationId: string) =>
      answer(await resetSettings(deps, call, { kind, organizationId })),
  };
}

// A call that changed nothing has no details.
const answer = (details: Details | undefined) => (details === undefined ? {} : { details: toObjectDetails(details) });
