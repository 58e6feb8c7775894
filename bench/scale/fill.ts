import type { Call } from "../../server/src/call/index.ts";
import { type Database, join, type Sql, sql, type Tx } from "../../server/src/database/index.ts";
import { domainOf, idOf, peoplePerOrganization, personOf } from "./people.ts";
import { withoutIndexes } from "./without-indexes.ts";

/** Where people get their roles. */
export interface Where {
  readonly instanceId: string;
  readonly projectId: string;
  /** Organization of the project. */
  readonly organizationId: string;
}

const start = Date.UTC(2026, 0, 1);
const perStatement = 100;
const perTransaction = 5_000;
const eventTypes = [
  "user.created",
  "user.email.verified",
  "user.password.changed",
  "session.created",
  "session.updated",
];

/**
 * Adds people from a number up to another, an organization for every hundred of them, a role for every tenth, and five events for each. Rows are
 * written as the product writes them, because its API would take hours for a million.
 */
export async function fill(database: Database, where: Where, from: number, to: number): Promise<void> {
  const call: Call = { instanceId: where.instanceId, requestId: "bench", now: start, language: "en" };
  await withoutIndexes(database, call, filledTables, () => insertPeople(database, call, where, from, to));
}

const filledTables = [
  "organizations",
  "organization_domains",
  "users",
  "authorizations",
  "authorization_roles",
  "events",
];

async function insertPeople(database: Database, call: Call, where: Where, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += perTransaction) {
    const numbers = range(first, Math.min(first + perTransaction, to));
    await database.touch(call, async (tx) => {
      const organizations = numbers
        .filter((number) => number % peoplePerOrganization === 0)
        .map((number) => number / peoplePerOrganization);
      await insert(tx, organizations, organizationRows);
      await insert(tx, organizations, domainRows);
      await insert(tx, numbers, userRows);
      const members = numbers.filter((number) => number % 10 === 0);
      await insert(tx, members, (each) => authorizationRows(where, each));
      await insert(tx, members, roleRows);
      await insert(
        tx,
        numbers.flatMap((number) => eventTypes.map((_type, index) => number * eventTypes.length + index)),
        eventRows,
      );
    });
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_each, index) => from + index);

async function insert(tx: Tx, numbers: readonly number[], toStatement: Rows): Promise<void> {
  for (let first = 0; first < numbers.length; first += perStatement) {
    const { into, row } = toStatement(numbers);
    const rows = numbers.slice(first, first + perStatement).map((number) => row(tx, number));
    await tx.run(sql`insert into ${into} values ${join(rows, ", ")}`);
  }
}

type Rows = (numbers: readonly number[]) => {
  readonly into: Sql;
  readonly row: (tx: Pick<Tx, "instanceId">, number: number) => Sql;
};

const organizationRows: Rows = () => ({
  into: sql`organizations (instance_id, organization_id, name, name_key, state, primary_domain, sequence, created_at, changed_at)`,
  row: (
    { instanceId },
    number,
  ) => sql`(${instanceId}, ${idOf("organization", number)}, ${`Company ${number}`}, ${`company ${number}`},
    'active', ${domainOf(number)}, 1, ${start + number}, ${start + number})`,
});

const domainRows: Rows = () => ({
  into: sql`organization_domains (instance_id, organization_id, domain, is_verified, is_primary, validation_type, created_at, changed_at)`,
  row: (
    { instanceId },
    number,
  ) => sql`(${instanceId}, ${idOf("organization", number)}, ${domainOf(number)}, 1, 1, 'none',
    ${start}, ${start})`,
});

const userRows: Rows = () => ({
  into: sql`users (instance_id, user_id, organization_id, kind, state, username, username_key, preferred_login_name, login_name_key,
    display_name, sequence, created_at, changed_at, given_name, family_name, preferred_language, gender, email, email_key, is_email_verified,
    is_password_change_required, failed_password_checks)`,
  row: ({ instanceId }, number) => {
    const { userId, organization, username, givenName, familyName, email } = personOf(number);
    const loginName = `${username}@${domainOf(organization)}`;
    const state = number % 50 === 7 ? "inactive" : "active";
    return sql`(${instanceId}, ${userId}, ${idOf("organization", organization)}, 'human', ${state}, ${username}, ${username}, ${loginName},
      ${loginName}, ${`${givenName} ${familyName}`}, 1, ${start + number}, ${start + number}, ${givenName}, ${familyName}, 'en', 'unspecified',
      ${email}, ${email}, 1, 0, 0)`;
  },
});

const authorizationRows = ({ projectId, organizationId }: Where, _numbers: readonly number[]): ReturnType<Rows> => ({
  into: sql`authorizations (instance_id, authorization_id, user_id, project_id, organization_id, project_grant_id, state, sequence,
    created_at, changed_at, user_organization_id)`,
  row: (
    { instanceId },
    number,
  ) => sql`(${instanceId}, ${idOf("authorization", number)}, ${idOf("user", number)}, ${projectId},
    ${organizationId}, '', 'active', 1, ${start + number}, ${start + number}, ${idOf("organization", Math.floor(number / peoplePerOrganization))})`,
});

const roleRows: Rows = () => ({
  into: sql`authorization_roles (instance_id, authorization_id, role_key)`,
  row: ({ instanceId }, number) =>
    sql`(${instanceId}, ${idOf("authorization", number)}, ${number % 100 === 0 ? "admin" : "reader"})`,
});

const eventRows: Rows = () => ({
  into: sql`events (instance_id, aggregate_type, aggregate_id, sequence, type, owner_id, payload, editor_user_id, editor_client_id, request_id,
    created_at)`,
  row: ({ instanceId }, number) => {
    const person = Math.floor(number / eventTypes.length);
    const index = number % eventTypes.length;
    const type = eventTypes[index] ?? "";
    return sql`(${instanceId}, ${type.split(".", 1)[0]}, ${idOf("user", person)}, ${index + 1}, ${type},
      ${idOf("organization", Math.floor(person / peoplePerOrganization))}, '{}', ${idOf("user", person % 1000)}, ${null}, 'bench',
      ${start + number})`;
  },
});
