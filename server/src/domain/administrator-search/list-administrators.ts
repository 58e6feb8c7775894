import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { memberPermission } from "../administrator-access/index.ts";
import { visibleUsers } from "../user/index.ts";
import { listAdministratorRows } from "./administrator.store.ts";
import {
  type Administrator,
  type AdministratorFilter,
  type AdministratorSearch,
  deepestFilter,
} from "./administrator-search.ts";

/**
 * Lists the administrators of every resource where the caller may read them, all roles of users whose roles the caller
 * may read in their own organization, and the caller's own roles. Hidden ones are not counted, and users out of view
 * have no names.
 */
export function listAdministrators(
  deps: { readonly database: Database },
  call: Call,
  search: AdministratorSearch,
): Promise<{ readonly administrators: readonly Administrator[]; readonly total: number }> {
  const { access } = requireCaller(call);
  for (const filter of search.filters) checkDepth(filter, 1);
  return listAdministratorRows(deps.database.read, call.instanceId, {
    view: visibleUsers(call),
    reach: {
      instance: access.reach(`${memberPermission.instance}.read`),
      organization: access.reach(`${memberPermission.organization}.read`),
      project: access.reach(`${memberPermission.project}.read`),
      project_grant: access.reach(`${memberPermission.project_grant}.read`),
      home: access.reach("user.membership.read"),
    },
    search,
  });
}

function checkDepth(filter: AdministratorFilter, depth: number): void {
  if (depth > deepestFilter) {
    throw new Fault("invalid_argument", "filter.too_deep", { field: "filters", values: { maximum: deepestFilter } });
  }
  if (filter.by === "not") checkDepth(filter.filter, depth + 1);
  if (filter.by !== "and" && filter.by !== "or") return;
  for (const inner of filter.filters) checkDepth(inner, depth + 1);
}
