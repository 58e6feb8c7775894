import { type Sql, sql } from "../../database/index.ts";

/**
 * Selects the role assignments of a user for a `from`: the user's own, and those of the user's groups. Uses two lookups
 * by the user (`cross join` stops SQLite from reordering them) and no condition with `or`: a project may have any
 * number of assignments, and this runs with every introspection.
 */
export const assignmentsOf = (instanceId: string, userId: string): Sql => sql`(
    select x.authorization_id, x.project_id, x.organization_id, x.project_grant_id, x.state from authorizations x
      where x.instance_id = ${instanceId} and x.user_id = ${userId}
    union all
    select y.authorization_id, y.project_id, y.organization_id, y.project_grant_id, y.state
      from user_group_members m cross join authorizations y
      where m.instance_id = ${instanceId} and m.user_id = ${userId}
        and y.instance_id = ${instanceId} and y.group_id = m.group_id and y.group_id <> '')`;
