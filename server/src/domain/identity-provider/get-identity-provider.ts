import { authorize, type Call, requireCaller, type Scope } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { authorizeReading } from "./authorize-providers.ts";
import type { ProviderKey } from "./change-provider.ts";
import { findWrittenProvider } from "./identity-provider.store.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { providerAbsent } from "./record-provider.ts";

/**
 * Returns a provider that an organization can use, its own or the instance's; only of the instance when the
 * organization is empty.
 */
export async function getIdentityProvider(
  { database }: { readonly database: Database },
  call: Call,
  { ownerOrganizationId, identityProviderId, kinds }: ProviderKey,
): Promise<IdentityProvider> {
  await authorizeReading(database.read, call, ownerOrganizationId);
  const found = await findWrittenProvider(database.read, call.instanceId, identityProviderId);
  if (found === undefined || !["", ownerOrganizationId].includes(found.ownerOrganizationId)) throw providerAbsent();
  if (kinds?.includes(found.configuration.kind) === false) throw providerAbsent();
  return found;
}

/**
 * Returns a provider of any owner, for callers who may read it there. Providers of the instance are also readable for
 * callers who may read those of any organization, which can use them.
 */
export async function getAnyIdentityProvider(
  { database }: { readonly database: Database },
  call: Call,
  identityProviderId: string,
): Promise<IdentityProvider> {
  const found = await findWrittenProvider(database.read, call.instanceId, identityProviderId);
  const organizationId = found?.ownerOrganizationId ?? "";
  const isShared = found !== undefined && organizationId === "";
  const scope: Scope | undefined = found && (isShared ? {} : { organizationId });
  const { access } = requireCaller(call);
  authorize(call, scope, {
    permission: isShared ? "iam.idp.read" : "org.idp.read",
    readPermission: "org.idp.read",
    absent: "identity_provider.not_found",
    isOwn: isShared && access.holdsAnywhere("org.idp.read"),
  });
  return found as IdentityProvider;
}
