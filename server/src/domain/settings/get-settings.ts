import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findOrganization } from "../organization/index.ts";
import { type EffectiveSettings, type SettingsDocuments, type SettingsKind, settingsKinds } from "./settings.ts";
import type { SettingsReader } from "./settings-reader.ts";

export interface GetSettingsDeps {
  readonly database: Database;
  readonly settings: SettingsReader;
}

/**
 * Returns the effective settings of an organization or of the instance, for a caller who may read them. Settings that
 * organizations inherit are open to callers who may read settings in any scope; those of the instance alone (security,
 * tokens) to its administrators.
 */
export async function getSettings<Kind extends SettingsKind>(
  deps: GetSettingsDeps,
  call: Call,
  input: { readonly kind: Kind; readonly organizationId?: string | undefined },
): Promise<EffectiveSettings<SettingsDocuments[Kind]>> {
  const { kind, organizationId } = input;
  const { isForOrganizations, isOfInstanceAdministrators = false } = settingsKinds[kind];
  if (!isForOrganizations || isOfInstanceAdministrators) {
    requirePermission(call, "iam.policy.read", {});
    await requireOrganization(deps, call, organizationId);
  } else if (organizationId === undefined) requirePolicyRead(call);
  else await authorizeOrganizationSettings(deps, call, organizationId);
  return deps.settings.getCommitted(kind, { instanceId: call.instanceId, organizationId });
}

/** Refuses callers who may not read settings in any scope. */
export function requirePolicyRead(call: Call): void {
  const mayRead = requireCaller(call).access.holdsAnywhere("policy.read");
  if (!mayRead) throw new Fault("permission_denied", "permission.missing", { values: { permission: "policy.read" } });
}

// Callers know their own organization, so there the refusal says what is missing; any other organization stays hidden.
async function authorizeOrganizationSettings(deps: GetSettingsDeps, call: Call, organizationId: string): Promise<void> {
  const caller = requireCaller(call);
  if (caller.access.allows("policy.read", { organizationId })) {
    const organization = await findOrganization(deps.database.read, call.instanceId, organizationId);
    if (organization !== undefined) return;
  } else if (caller.organizationId === organizationId) {
    requirePermission(call, "policy.read", { organizationId });
  }
  throw new Fault("not_found", "organization.not_found");
}

async function requireOrganization(
  deps: GetSettingsDeps,
  call: Call,
  organizationId: string | undefined,
): Promise<void> {
  if (organizationId === undefined) return;
  if ((await findOrganization(deps.database.read, call.instanceId, organizationId)) !== undefined) return;
  throw new Fault("not_found", "organization.not_found");
}
