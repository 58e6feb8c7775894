import type { Call } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import { deleteIdentityProvider } from "../../../../domain/deletion/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";

/** Deletes an identity provider of the instance (no owner) or of an organization. */
export function deletionOfProviders(deps: { readonly database: Database }) {
  const remove = async (call: Call, ownerOrganizationId: string, identityProviderId: string) => ({
    details: toObjectDetails(await deleteIdentityProvider(deps, call, { ownerOrganizationId, identityProviderId })),
  });
  return { remove };
}
