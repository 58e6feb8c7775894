import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { refuseLockout } from "../administrator-lockout/index.ts";
import { removeIdentityProvider, requireWriting } from "../identity-provider/index.ts";
import { deleteIntentsOfProvider, deleteSessionsOfProvider } from "../identity-provider-intent/index.ts";
import { removeLinksOfProvider } from "../identity-provider-link/index.ts";
import { refuseLeftToInstance } from "./refuse-left-to-instance.ts";

/**
 * Deletes an identity provider of an organization, or of the instance when the id is empty, with the users' links to it
 * and the sign-in attempts that are under way there.
 */
export function deleteIdentityProvider(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly ownerOrganizationId: string; readonly identityProviderId: string },
): Promise<Details> {
  return deps.database.changeAtLength(call, async (tx) => {
    await requireWriting(tx, call, input.ownerOrganizationId);
    const details = await refuseLockout(tx, input.ownerOrganizationId, () => removeIdentityProvider(tx, input));
    await refuseLeftToInstance(tx, input.ownerOrganizationId, "org.idp.delete");
    await discardTiesOfProvider(tx, input.identityProviderId);
    return details;
  });
}

/** Step, for a provider that was deleted: removes the users' links to it and the attempts that are under way there. */
export async function discardTiesOfProvider(tx: Tx, identityProviderId: string): Promise<void> {
  await removeLinksOfProvider(tx, identityProviderId);
  await deleteIntentsOfProvider(tx, identityProviderId);
  await deleteSessionsOfProvider(tx, identityProviderId);
}
