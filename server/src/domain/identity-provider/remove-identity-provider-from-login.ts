import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import type { RefuseLockout } from "../organization/index.ts";
import { authorizeSettings, changeOffered, readSettings, writeSettings } from "../settings/index.ts";
import type { OfferedProvider } from "./add-identity-provider-to-login.ts";

/**
 * Removes a provider from the login of an organization, or of the instance. Removing a provider that is not offered
 * changes nothing.
 */
export function removeIdentityProviderFromLogin(
  deps: { readonly database: Database; readonly refuseLockout: RefuseLockout },
  call: Call,
  { organizationId, identityProviderId }: Omit<OfferedProvider, "owner">,
): Promise<Details> {
  return deps.database.changeAtLength(call, async (tx) => {
    await authorizeSettings(tx, call, organizationId, "write");
    const found = await readSettings(tx, "login", { instanceId: tx.instanceId, organizationId });
    // An organization that inherits from the instance keeps inheriting.
    if (!found.settings.identityProviderIds.includes(identityProviderId)) return found.details;
    const without = (ids: readonly string[]) => ids.filter((id) => id !== identityProviderId);
    return deps.refuseLockout(tx, organizationId, async () => {
      const change = (offered: readonly string[]) =>
        offered.includes(identityProviderId) ? without(offered) : undefined;
      const beside = organizationId === "" ? undefined : await changeOffered(tx, { organizationId, change });
      return (
        beside ??
        writeSettings(tx, {
          kind: "login",
          organizationId,
          change: (current) => ({ ...current, identityProviderIds: without(current.identityProviderIds) }),
        })
      );
    });
  });
}
