import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { listProjectGrants, type ProjectGrantSearch } from "./list-project-grants.ts";
import type { ListedProjectGrant, ProjectGrantFilter } from "./project-grant-list.store.ts";

/** Returns the grant of this project with this id, if the caller may read it on either side and the `filters` match. */
export async function getProjectGrant(
  deps: { readonly database: Database },
  call: Call,
  input: Pick<ProjectGrantSearch, "permission"> & {
    readonly projectId: string;
    readonly grantId: string;
    readonly filters?: readonly ProjectGrantFilter[];
  },
): Promise<ListedProjectGrant> {
  const { projectId, grantId, filters = [], ...permission } = input;
  const { rows } = await listProjectGrants(deps, call, {
    ...permission,
    filters: [{ kind: "ids", grantIds: [grantId] }, { kind: "project_ids", projectIds: [projectId] }, ...filters],
    orderBy: "created_at",
    isDescending: false,
    page: { offset: 0, limit: 1 },
  });
  const [grant] = rows;
  if (grant === undefined) throw new Fault("not_found", "project_grant.not_found");
  return grant;
}
