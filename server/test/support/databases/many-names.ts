import type { Call } from "../../../src/call/index.ts";
import { type Database, sql, text } from "../../../src/database/index.ts";

interface NamesInDomain {
  /** The user of whom the others are copies. */
  readonly userId: string;
  readonly count: number;
  readonly domain: string;
}

// Columns that the copies share with their model.
const shared = text(`instance_id, organization_id, kind, state, display_name, given_name, family_name, sequence,
  created_at, changed_at, username_set_at, is_username_own_choice, is_email_verified, email_verified_at, email_proof,
  is_email_proof_wide, email_author, is_password_change_required, failed_password_checks`);

/**
 * Adds users to the organization of a user, which the API does one by one: `n0001@domain` and so on, each with that as
 * login name and verified address.
 */
export async function addManyNames(
  database: Database,
  call: Call,
  { userId, count, domain }: NamesInDomain,
): Promise<void> {
  await database.touch(call, (tx) =>
    tx.run(sql`insert into users (user_id, username, username_key, email, email_key, preferred_login_name,
        login_name_key, ${shared})
      with recursive series(i) as (select 1 union all select i + 1 from series where i < ${count}),
        names(name) as (select 'n' || substr(cast(10000 + i as text), 2) || ${`@${domain}`} from series)
      select ${userId} || '-' || name, name, name, name, name, name, name, ${shared} from users, names
        where user_id = ${userId}`),
  );
}

/** How many users have a login name that ends in the domain, of all instances of the database. */
export async function countLoginNames({ read }: Database, domain: string): Promise<number> {
  const row = await read.maybe<{ count: number }>(sql`select count(*) as "count" from users
    where login_name_key like ${`%@${domain}`}`);
  return Number(row?.count);
}

/** How many users were told that an organization has the domain of their names, and in how many messages. */
export async function countToldUsers({ read }: Database): Promise<{
  readonly users: number;
  readonly messages: number;
}> {
  const row = await read.maybe<{ users: number; messages: number }>(sql`select count(distinct user_id) as "users",
    count(*) as "messages" from notifications where kind = 'domain_claimed'`);
  return { users: Number(row?.users), messages: Number(row?.messages) };
}
