import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type ListMetadata, listMetadata, type Metadata } from "../metadata/index.ts";
import { authorizeOrganization } from "./authorize-organization.ts";

/** Lists the metadata of an organization that the caller may read. */
export async function listOrganizationMetadata(
  deps: { readonly database: Database },
  call: Call,
  search: Omit<ListMetadata, "owner"> & { readonly organizationId: string },
): Promise<{ readonly metadata: readonly Metadata[]; readonly total: number }> {
  const { read } = deps.database;
  const { organizationId } = await authorizeOrganization(read, call, search.organizationId, "org.read");
  return listMetadata(read, call.instanceId, { ...search, owner: { type: "organization", id: organizationId } });
}
