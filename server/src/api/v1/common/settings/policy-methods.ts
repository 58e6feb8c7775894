import type { Call } from "../../../../call/index.ts";
import type { Details } from "../../../../database/index.ts";
import {
  type EffectiveSettings,
  type GetSettingsDeps,
  getSettings,
  resetSettings,
  type SettingsDocuments,
  type SettingsKind,
  updateSettings,
} from "../../../../domain/settings/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";

/** A policy of the first generation of the API: how settings of a kind are written in its messages. */
export interface PolicyWords<Kind extends SettingsKind, Policy, Request> {
  readonly kind: Kind;
  readonly toPolicy: (found: EffectiveSettings<SettingsDocuments[Kind]>) => Policy;
  /** Applies a request to settings: it replaces the members that the first generation has, and nothing else. */
  readonly change: (current: SettingsDocuments[Kind], request: Request) => SettingsDocuments[Kind];
}

/** Returns the methods that every policy has. */
export function methodsOfPolicy<Kind extends SettingsKind, Policy, Request>(
  deps: GetSettingsDeps,
  { kind, toPolicy, change }: PolicyWords<Kind, Policy, Request>,
) {
  const write = async (call: Call, organizationId: string, request: Request, isNew: boolean) =>
    answer(
      await updateSettings(deps, call, {
        kind,
        isNew,
        ...(organizationId !== "" && { organizationId }),
        change: (current) => change(current, request),
      }),
    );
  const get = async (call: Call, organizationId: string) => {
    const found = await getSettings(deps, call, { kind, ...(organizationId !== "" && { organizationId }) });
    return { policy: toPolicy(found), isDefault: found.source === "instance" };
  };
  return {
    /** Of an organization. */
    get,
    /** Of the instance. */
    getDefault: async (call: Call) => ({ policy: (await get(call, "")).policy }),
    add: (call: Call, organizationId: string, request: Request) => write(call, organizationId, request, true),
    update: (call: Call, organizationId: string, request: Request) => write(call, organizationId, request, false),
    /** Of the instance, which has one from the start. */
    addDefault: (call: Call, request: Request) => write(call, "", request, true),
    updateDefault: (call: Call, request: Request) => write(call, "", request, false),
    reset: async (call: Call, organizationId: string) =>
      answer(await resetSettings(deps, call, { kind, organizationId })),
  };
}

// A call that changed nothing has no details.
const answer = (details: Details | undefined) => (details === undefined ? {} : { details: toObjectDetails(details) });
