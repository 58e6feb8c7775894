import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import {
  type ListedProjectGrant,
  listProjectGrantRows,
  type ProjectGrantListQuery,
} from "./project-grant-list.store.ts";

/** Grants that the caller may read, on either side. */
export async function listProjectGrants(
  deps: { readonly database: Database },
  call: Call,
  input: Omit<ProjectGrantListQuery, "reach">,
): Promise<List<ListedProjectGrant>> {
  const reach = requireCaller(call).access.reach("project.grant.read");
  return listProjectGrantRows(deps.database.read, call.instanceId, { ...input, reach });
}
