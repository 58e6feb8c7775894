import { type Sql, sql } from "../../database/index.ts";

/** The condition that the roles of an assignment (alias `a`) are a user's: his own, or those of a group that he is in. */
export const isOfUser = (userId: string): Sql => sql`(a.user_id = ${userId} or (a.group_id <> '' and a.group_id in
    (select m.group_id from user_group_members m where m.instance_id = a.instance_id and m.user_id = ${userId})))`;
