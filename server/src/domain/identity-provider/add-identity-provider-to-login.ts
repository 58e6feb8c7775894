import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeSettings, changeOffered, readSettings, writeSettings } from "../settings/index.ts";
import { refuseStopped } from "./change-provider.ts";
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
 * Adds a provider to the login of an organization, or of the instance. An organization can offer its own providers and
 * the instance's. Its own it offers beside those of the instance, and follows the settings of the instance otherwise; a
 * provider of the instance gives it settings of its own. Adding a provider that is offered already changes nothing.
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
    if (call.caller?.setupLinkId !== undefined) refuseStopped(added);
    if (offered.includes(identityProviderId)) return found.details;
    const isThere = new Set(usable.map((provider) => provider.identityProviderId));
    // Providers that were deleted meanwhile are dropped.
    const isLeft = (id: string): boolean => id !== identityProviderId && (isThere.has(id) || !offered.includes(id));
    const withAdded = (former: readonly string[]) => [...former.filter(isLeft), identityProviderId];
    const beside =
      organizationId !== "" && isOfOrganization
        ? await changeOffered(tx, { organizationId, change: withAdded })
        : undefined;
    return (
      beside ??
      writeSettings(tx, {
        kind: "login",
        organizationId,
        change: (current) => ({ ...current, identityProviderIds: withAdded(current.identityProviderIds) }),
      })
    );
  });
}
