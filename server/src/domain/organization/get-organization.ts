import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { authorizeOrganization } from "./authorize-organization.ts";
import type { Organization } from "./organization.ts";

/** Returns an organization that the caller may read. */
export function getOrganization(
  deps: { readonly database: Database },
  call: Call,
  organizationId: string,
): Promise<Organization> {
  return authorizeOrganization(deps.database.read, call, organizationId, "org.read");
}
