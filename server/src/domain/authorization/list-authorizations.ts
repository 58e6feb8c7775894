import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { visibleUsers } from "../user/index.ts";
import { authorizationAbsence } from "./authorization.ts";
import {
  type AuthorizationListQuery,
  type ListedAuthorization,
  type ListedRole,
  listAuthorizationRows,
  listRolesOfAuthorizations,
} from "./authorization-list.store.ts";

export interface AuthorizationWithRoles extends ListedAuthorization {
  readonly roles: readonly ListedRole[];
}

/**
 * Lists the role assignments that the caller may read, always including the caller's own. A page ends earlier where its
 * assignments have very many roles.
 */
export async function listAuthorizations(
  deps: { readonly database: Database },
  call: Call,
  input: Omit<AuthorizationListQuery, "reach" | "view">,
): Promise<List<AuthorizationWithRoles>> {
  const { access } = requireCaller(call);
  const { read } = deps.database;
  const reach = access.reach(authorizationAbsence.readPermission);
  const { rows, total } = await listAuthorizationRows(read, call.instanceId, {
    ...input,
    reach,
    view: visibleUsers(call),
  });
  const ids = rows.map(({ authorizationId }) => authorizationId);
  const found = await listRolesOfAuthorizations(read, call.instanceId, ids);
  const roles = Map.groupBy(
    found.details.sort((one, other) => (one.roleKey < other.roleKey ? -1 : 1)),
    ({ authorizationId }) => authorizationId,
  );
  const shown = rows.slice(0, found.rows);
  return { rows: shown.map((row) => ({ ...row, roles: roles.get(row.authorizationId) ?? [] })), total };
}
