import type { Call } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import { deleteOrganization } from "../../../../domain/deletion/index.ts";
import { toRemovalDetails } from "../../../contract/index.ts";

/** Deletes an organization and answers as version 1 does. */
export function deletionOfOrganizations(deps: { readonly database: Database }) {
  const remove = async (call: Call, organizationId: string) => {
    const { deletedAt } = await deleteOrganization(deps, call, { organizationId });
    return deletedAt === undefined ? {} : { details: toRemovalDetails(deletedAt, organizationId) };
  };
  return { remove };
}
