import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import {
  type ListedProjectGrant,
  listProjectGrantRows,
  type ProjectGrantListQuery,
} from "./project-grant-list.store.ts";

export interface ProjectGrantSearch extends Omit<ProjectGrantListQuery, "reach"> {
  /** Permission that the caller needs on either side; `project.grant.read` by default. */
  readonly permission?: "project.grant.read" | "project.read";
}

/** Lists grants that the caller may read, on either side. */
export async function listProjectGrants(
  deps: { readonly database: Database },
  call: Call,
  { permission = "project.grant.read", ...query }: ProjectGrantSearch,
): Promise<List<ListedProjectGrant>> {
  const reach = requireCaller(call).access.reach(permission);
  return listProjectGrantRows(deps.database.read, call.instanceId, { ...query, reach });
}
