import type { Call } from "../../server/src/call/index.ts";
import { type Database, join, type Sql, sql, type Tx, text } from "../../server/src/database/index.ts";
import { familyNames, givenNames, peoplePerOrganization } from "./people.ts";
import { withoutIndexes } from "./without-indexes.ts";

/** Where people get their roles. */
export interface Where {
  readonly instanceId: string;
  readonly projectId: string;
  /** Organization of the project. */
  readonly organizationId: string;
}

const start = Date.UTC(2026, 0, 1);
const perTransaction = 10_000;
const eventTypes = [
  "user.created",
  "user.email.verified",
  "user.password.changed",
  "session.created",
  "session.updated",
];
const filledTables = [
  "organizations",
  "organization_domains",
  "users",
  "authorizations",
  "authorization_roles",
  "events",
];

/**
 * Adds people from a number up to another, an organization for every hundred of them, a role for every tenth, and five events for each. Rows are
 * made inside of the database and are those of `personOf`, because the API would take hours for a million.
 */
export async function fill(database: Database, where: Where, from: number, to: number): Promise<void> {
  const call: Call = { instanceId: where.instanceId, requestId: "bench", now: start, language: "en" };
  await withoutIndexes(database, call, filledTables, async () => {
    for (let first = from; first < to; first += perTransaction) {
      const last = Math.min(first + perTransaction, to);
      await database.touch(call, async (tx) => {
        await insertOrganizations(tx, first, last);
        await insertUsers(tx, first, last);
        await insertAuthorizations(tx, where, first, last);
        await insertEvents(tx, first, last);
      });
    }
  });
}

/** Whole numbers from one up to below another, as a table. */
const numbers = (from: number, to: number): Sql => sql`with recursive n (number) as (
  select cast(${from} as bigint) where ${from} < ${to} union all select number + 1 from n where number + 1 < ${to})`;

/** One of some texts, by a number. */
const oneOf = (texts: readonly string[], number: Sql): Sql =>
  sql`case (${number}) % cast(${texts.length} as bigint) ${join(
    texts.map((each, index) => sql`when ${index} then ${each}`),
    " ",
  )} end`;

// A parameter is a fraction to SQLite, and so would be what it divides.
const perOrganization = sql`cast(${peoplePerOrganization} as bigint)`;

// As `idOf` says.
const userId = text("cast(100000000000000000 + number as text)");
const organizationOf = sql`cast(200000000000000000 + number / ${perOrganization} as text)`;
const authorizationId = text("cast(300000000000000000 + number as text)");

async function insertOrganizations(tx: Tx, first: number, last: number): Promise<void> {
  const range = numbers(Math.ceil(first / peoplePerOrganization), Math.ceil(last / peoplePerOrganization));
  const id = text("cast(200000000000000000 + number as text)");
  await tx.run(sql`insert into organizations (instance_id, organization_id, name, name_key, state, primary_domain, sequence, created_at, changed_at)
    ${range} select ${tx.instanceId}, ${id}, 'Company ' || number, 'company ' || number, 'active', 'company' || number || '.example.com', 1,
      ${start} + number, ${start} + number from n`);
  await tx.run(sql`insert into organization_domains (instance_id, organization_id, domain, is_verified, is_primary, validation_type, created_at,
      changed_at)
    ${range} select ${tx.instanceId}, ${id}, 'company' || number || '.example.com', 1, 1, 'none', ${start}, ${start} from n`);
}

async function insertUsers(tx: Tx, first: number, last: number): Promise<void> {
  await tx.run(sql`insert into users (instance_id, user_id, organization_id, kind, state, username, username_key, preferred_login_name,
      login_name_key, display_name, sequence, created_at, changed_at, given_name, family_name, preferred_language, gender, email, email_key,
      is_email_verified, is_password_change_required, failed_password_checks)
    select instance_id, user_id, organization_id, 'human', state, username, username, username || '@' || domain, username || '@' || domain,
      given_name || ' ' || family_name, 1, at, at, given_name, family_name, 'en', 'unspecified', username || '@example.com',
      username || '@example.com', 1, 0, 0
    from (${numbers(first, last)} select cast(${tx.instanceId} as text) as instance_id, ${userId} as user_id, ${organizationOf} as organization_id,
        case when number % 50 = 7 then 'inactive' else 'active' end as state, 'person' || number as username,
        'company' || (number / ${perOrganization}) || '.example.com' as domain, ${start} + number as at,
        ${oneOf(givenNames, text("number"))} as given_name,
        ${oneOf(familyNames, text("number / 12"))} || (number % 997) as family_name from n) people`);
}

async function insertAuthorizations(tx: Tx, where: Where, first: number, last: number): Promise<void> {
  const { projectId, organizationId } = where;
  await tx.run(sql`insert into authorizations (instance_id, authorization_id, user_id, project_id, organization_id, project_grant_id, state,
      sequence, created_at, changed_at, user_organization_id)
    ${numbers(first, last)} select ${tx.instanceId}, ${authorizationId}, ${userId}, ${projectId}, ${organizationId}, '', 'active', 1,
      ${start} + number, ${start} + number, ${organizationOf} from n where number % 10 = 0`);
  await tx.run(sql`insert into authorization_roles (instance_id, authorization_id, role_key)
    ${numbers(first, last)} select ${tx.instanceId}, ${authorizationId}, case when number % 100 = 0 then 'admin' else 'reader' end
    from n where number % 10 = 0`);
}

async function insertEvents(tx: Tx, first: number, last: number): Promise<void> {
  for (const [index, type] of eventTypes.entries()) {
    await tx.run(sql`insert into events (instance_id, aggregate_type, aggregate_id, sequence, type, owner_id, payload, editor_user_id,
        editor_client_id, request_id, created_at)
      ${numbers(first, last)} select ${tx.instanceId}, ${type.split(".", 1)[0] ?? ""}, ${userId}, ${index + 1}, ${type}, ${organizationOf}, '{}',
        cast(100000000000000000 + number % 1000 as text), ${null}, 'bench', cast(${start} + number * ${eventTypes.length} + ${index} as bigint) from n`);
  }
}
