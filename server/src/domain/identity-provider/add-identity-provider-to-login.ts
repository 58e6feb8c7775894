import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeSettings, readSettings, writeSettings } from "../settings/index.ts";
import { listUsableProviders } from "./identity-provider.store.ts";
import { providerAbsent } from "./record-provider.ts";

export interface OfferedProvider {
  /** The organization that the login belongs to; empty for the instance's login. */
  readonly organizationId: string;
  readonly identityProviderId: string;
  /** The expected owner of the provider; any owner is accepted when absent. */
  readonly owner?: "instance" | "organization";
}

/**
 * Adds a provider to the login of an organization, or of the instance. This gives an organization settings of its own;
 * it can offer its own providers and the instance's. Adding a provider that is offered already changes nothing.
 */
export function addIdentityProviderToLogin(
  deps: { readonly database: Database },
  call: Call,
  { organizationId, identityProviderId, owner }: OfferedProvider,
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    await authorizeSettings(tx, call, organizationId, "write");
    const found = await readSettings(tx, "login", { instanceId: tx.instanceId, organizationId });
    const offered = found.settings.identityProviderIds;
    const ids = [...offered, identityProviderId];
    const usable = await listUsableProviders(tx, tx.instanceId, { organizationId, ids });
    const added = usable.find((provider) => provider.identityProviderId === identityProviderId);
    const isOfOrganization = added?.ownerOrganizationId !== "";
    if (added === undefined || (owner !== undefined && isOfOrganization !== (owner === "organization"))) {
      throw providerAbsent("idpId");
    }
    if (offered.includes(identityProviderId)) return found.details;
    const isThere = new Set(usable.map((provider) => provider.identityProviderId));
    return writeSettings(tx, {
      kind: "login",
      organizationId,
      // Providers that were deleted meanwhile are dropped.
      change: (current) => ({ ...current, identityProviderIds: ids.filter((id) => isThere.has(id)) }),
    });
  });
}
