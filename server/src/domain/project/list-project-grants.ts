import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import {
  type ListedProjectGrant,
  listProjectGrantRows,
  type ProjectGrantListQuery,
} from "./project-grant-list.store.ts";

export interface ProjectGrantSearch extends Omit<ProjectGrantListQuery, "reach"> {
  /** What the caller has to hold on either side; to read grants when not given. */
  readonly permission?: "project.grant.read" | "project.read";
}

/** Grants that the caller may read, on either side. */
export async function listProjectGrants(
  deps: { readonly database: Database },
  call: Call,
  { permission = "project.grant.read", ...query }: ProjectGrantSearch,
): Promise<List<ListedProjectGrant>> {
  const reach = requireCaller(call).access.reach(permission);
  return listProjectGrantRows(deps.database.read, call.instanceId, { ...query, reach });
}
