import { type Sql, sql } from "../../database/index.ts";

/**
 * The part of a name after its last "@": the whole name where it has none. In these very words two indexes have it
 * (`users_by_domain_of_…`).
 */
export const domainOfName = (key: Sql): Sql => sql`substr(${key}, length(rtrim(${key}, replace(${key}, '@', ''))) + 1)`;

/** The condition that a name has an "@", also in these very words. */
export const hasAt = (key: Sql): Sql => sql`${key} <> replace(${key}, '@', '')`;
