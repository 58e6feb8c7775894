import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { carriesRoles, type ScopedRole } from "../administrator-access/index.ts";
import { type IdentityProvider, listUsableProviders } from "../identity-provider/index.ts";
import { needsProvider, type RefuseLockout, readSettings } from "../settings/index.ts";
import { listFactorsAtHome, listRolesAtHome } from "./administrators-at-home.store.ts";
import { hasSecondStep } from "./has-second-step.ts";

/**
 * Step, after the login settings of an organization or a provider changed: its administrators who are at home there
 * still have a second step, and where nothing but providers signs users in, each of their roles has one that may vouch
 * for it. A manager of the settings could otherwise lock the owners out, by the factors that count or by a provider
 * that only the manager answers for. Roles elsewhere do not count: no other organization decides how this one signs in.
 * For administrators of the instance, its own settings hold.
 */
export const refuseLockout: RefuseLockout = async (tx, organizationId) => {
  if (organizationId === "") return;
  const { settings } = await readSettings(tx, "login", { instanceId: tx.instanceId, organizationId });
  const factors = Map.groupBy(await listFactorsAtHome(tx, organizationId), ({ userId }) => userId);
  for (const rows of factors.values()) {
    const ready = rows.map(({ kind }) => kind).filter((kind) => kind !== null);
    if (hasSecondStep(settings, ready)) continue;
    throw new Fault("failed_precondition", "settings.login.no_factor_for_administrators", { field: "secondFactors" });
  }
  if (!needsProvider(settings)) return;
  const ids = settings.allowExternalIdp ? settings.identityProviderIds : [];
  const usable = await listUsableProviders(tx, tx.instanceId, { organizationId, ids });
  const providers = usable.filter(({ state }) => state === "active");
  for (const role of await listRolesAtHome(tx, organizationId)) {
    if (await isCarried(tx, providers, roleAt(organizationId, role))) continue;
    throw new Fault("failed_precondition", "settings.login.no_provider_for_administrators", {
      field: "allowLocalAuthentication",
    });
  }
};

async function isCarried(tx: Tx, providers: readonly IdentityProvider[], role: ScopedRole): Promise<boolean> {
  for (const provider of providers) {
    if (await carriesRoles(tx, tx.instanceId, provider, [role])) return true;
  }
  return false;
}

const roleAt = (organizationId: string, role: string): ScopedRole => ({
  role,
  isBuiltIn: false,
  scope: {
    level: "organization",
    resourceId: organizationId,
    ownerId: organizationId,
    permissionScopes: [{ organizationId }],
  },
});
