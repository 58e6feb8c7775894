import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { refuseLossOfProvider } from "../settings/index.ts";
import { answeredAfterActivation, type ProviderChangeDeps } from "./answer-for-provider.ts";
import { holdProvider, type ProviderKey } from "./change-provider.ts";
import { putIdentityProvider } from "./identity-provider.store.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { refuseOtherProvider } from "./provider-etag.ts";
import { recordProviderEvent } from "./record-provider.ts";

/**
 * Stops all sign-ins with a provider until it is activated again, or activates it. Setting the current state again
 * changes nothing. A caller who activates it answers for it from then on, if they name what they read of it, and may do
 * at least as much as the administrator who did so before: others may have given it another server since. Refuses to
 * stop the last sign-in method that the login settings leave.
 */
export function setProviderState(
  deps: ProviderChangeDeps & { readonly database: Database },
  call: Call,
  { state, etag, ...key }: ProviderKey & Pick<IdentityProvider, "state"> & { readonly etag?: string | undefined },
): Promise<IdentityProvider> {
  return deps.database.changeAtLength(call, async (tx) => {
    const current = await holdProvider(tx, key);
    refuseOtherProvider(current, etag);
    if (current.state === state) return current;
    const isActivated = state === "active";
    const isSeen = etag !== undefined;
    const answeredBy = isActivated && isSeen ? answeredAfterActivation(deps, call, current) : current.answeredBy;
    const next = { ...current, state, answeredBy };
    const { sequence } = await recordProviderEvent(tx, next, isActivated ? "reactivated" : "deactivated");
    const write = () => putIdentityProvider(tx, next, sequence);
    if (isActivated) return write();
    return deps.refuseLockout(tx, current.ownerOrganizationId, async () => {
      const changed = await write();
      await refuseLossOfProvider(tx, current.ownerOrganizationId);
      return changed;
    });
  });
}
