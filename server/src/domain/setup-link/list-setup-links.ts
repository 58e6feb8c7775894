import { authorize, type Call } from "../../call/index.ts";
import type { Database, List, Page } from "../../database/index.ts";
import { findOrganization } from "../organization/index.ts";
import { listLinkRows } from "./setup-link.store.ts";
import { listerPermission, type SetupLink } from "./setup-link.ts";

/** Lists the links of an organization whose administrators the caller may see. */
export async function listSetupLinks(
  deps: { readonly database: Database },
  call: Call,
  search: { readonly organizationId: string; readonly page: Page; readonly isDescending: boolean },
): Promise<List<SetupLink>> {
  const { read } = deps.database;
  authorize(call, await findOrganization(read, call.instanceId, search.organizationId), {
    permission: listerPermission,
    readPermission: "org.read",
    absent: "organization.not_found",
    isBeyondLogin: true,
  });
  return listLinkRows(read, call.instanceId, search);
}
