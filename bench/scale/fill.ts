import { join, type Sql, sql, text } from "../../server/src/database/index.ts";
import type { Loader } from "./loader.ts";
import { familyNames, givenNames, peoplePerOrganization } from "./people.ts";
import { withoutIndexes } from "./without-indexes.ts";

/** Where users get their roles. */
export interface Where {
  readonly projectId: string;
  /** Organization of the project. */
  readonly organizationId: string;
}

/** How users are spread over organizations. */
export interface Spread {
  readonly organizations: number;
  /** The number of the organization of a user, by `number`. */
  readonly organizationOf: Sql;
  /** How many of the users have events. */
  readonly eventful: number;
}

const start = Date.UTC(2026, 0, 1);
const eventTypes = [
  "user.created",
  "user.email.verified",
  "user.password.changed",
  "session.created",
  "session.updated",
];

/**
 * Adds so many users, an organization for every hundred of them, a role and metadata for every tenth, and five events
 * for each. Rows are those of
 * `personOf`, made inside the database, because the API would take hours for a million; triggers count them and note
 * their words as they do for the product.
 * Returns how many users a second were added, with all that finds them, before the rest.
 */
export async function fill(
  loader: Loader,
  where: Where,
  size: number,
  { organizations: count, organizationOf, eventful }: Spread = evenly(size),
): Promise<number> {
  const into = (table: string, statement: Sql): Promise<void> =>
    withoutIndexes(loader, table, () => loader.run(statement));
  const people = numbers(loader, size);
  const organizations = numbers(loader, count);
  const started = performance.now();
  await into("users", insertUsers(people, organizationOf));
  const peopleAlone = (size * 1000) / (performance.now() - started);
  await Promise.all([
    into("events", insertEvents(numbers(loader, eventful), organizationOf)),
    into("metadata", insertMetadata(people)),
    into("organizations", insertOrganizations(organizations)),
    into("organization_domains", insertDomains(organizations)),
    // Roles are counted by what they are assigned with.
    into("authorizations", insertAuthorizations(people, { where, organizationOf })).then(() =>
      into("authorization_roles", insertRoles(people)),
    ),
  ]);
  return peopleAlone;
}

const evenly = (size: number): Spread => ({
  organizations: Math.ceil(size / peoplePerOrganization),
  organizationOf: sql`number / ${perOrganization}`,
  eventful: size,
});

/** Whole numbers from zero up to below another, as a table with the column `number`. */
export const numbers = ({ engine }: Loader, count: number): Sql =>
  engine === "sqlite"
    ? sql`(with recursive n (number) as (select 0 union all select number + 1 from n where number + 1 < ${count}) select number from n) numbers`
    : sql`generate_series(0, cast(${count} as bigint) - 1) numbers (number)`;

/** One of some texts, by a number. */
const oneOf = (texts: readonly string[], number: Sql): Sql =>
  sql`case (${number}) % cast(${texts.length} as bigint) ${join(
    texts.map((each, index) => sql`when ${index} then ${each}`),
    " ",
  )} end`;

// SQLite takes a parameter for a fraction, so that dividing by it would give one too.
const perOrganization = sql`cast(${peoplePerOrganization} as bigint)`;

// There is one in a database that was just made.
const instanceId = text("(select instance_id from instances)");

// As `idOf` says.
const userId = text("cast(100000000000000000 + number as text)");
const ownOrganizationId = text("cast(200000000000000000 + number as text)");
const organizationIdOf = (organization: Sql): Sql => sql`cast(200000000000000000 + (${organization}) as text)`;
const authorizationId = text("cast(300000000000000000 + number as text)");

const insertOrganizations = (numbers: Sql): Sql =>
  sql`insert into organizations (instance_id, organization_id, name, name_key, state, primary_domain, sequence, created_at, changed_at)
    select ${instanceId}, ${ownOrganizationId}, 'Company ' || number, 'company ' || number, 'active', 'company' || number || '.example.com', 1,
      ${start} + number, ${start} + number from ${numbers}`;

const insertDomains = (numbers: Sql): Sql =>
  sql`insert into organization_domains (instance_id, organization_id, domain, is_verified, is_proven, is_primary, validation_type, created_at, changed_at)
    select ${instanceId}, ${ownOrganizationId}, 'company' || number || '.example.com', 1, 1, 1, 'none', ${start}, ${start} from ${numbers}`;

// Their next event has the next number.
const eventsOfUser = sql`cast(${eventTypes.filter((type) => type.startsWith("user.")).length} as bigint)`;

const insertUsers = (numbers: Sql, organizationOf: Sql): Sql =>
  sql`insert into users (instance_id, user_id, organization_id, kind, state, username, username_key, preferred_login_name, login_name_key,
      display_name, sequence, created_at, changed_at, given_name, family_name, nick_name, phone, is_phone_verified, preferred_language,
      gender, email, email_key, is_email_verified,
      is_password_change_required, failed_password_checks)
    select ${instanceId}, user_id, organization_id, 'human', state, username, username, username || '@' || domain, username || '@' || domain,
      given_name || ' ' || family_name, ${eventsOfUser}, at, at, given_name, family_name, nick_name, phone, 1, 'en', 'unspecified', username || '@example.com',
      username || '@example.com', 1, 0, 0
    from (select ${userId} as user_id, ${organizationIdOf(organizationOf)} as organization_id,
        case when number % 50 = 7 then 'inactive' else 'active' end as state, 'person' || number as username,
        'company' || (${organizationOf}) || '.example.com' as domain, ${start} + number as at,
        ${oneOf(givenNames, text("number"))} || (number / 1440) as given_name,
        ${oneOf(familyNames, text("number / 12"))} || (number / 120) as family_name,
        'nick' || number as nick_name, '+4915' || (10000000 + number) as phone from ${numbers}) people`;

/** Adds an id of another system to every tenth user, unique to each. Values are stored as Base64, which this is too. */
const insertMetadata = (numbers: Sql): Sql =>
  sql`insert into metadata (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
    select ${instanceId}, 'user', ${userId}, 'staff', 'staf' || (10000000 + number), ${start}, ${start} from ${numbers} where number % 10 = 0`;

const insertAuthorizations = (
  numbers: Sql,
  { where, organizationOf }: { readonly where: Where; readonly organizationOf: Sql },
): Sql =>
  sql`insert into authorizations (instance_id, authorization_id, user_id, project_id, organization_id, project_grant_id, state, sequence, created_at,
      changed_at, user_organization_id)
    select ${instanceId}, ${authorizationId}, ${userId}, ${where.projectId}, ${where.organizationId}, '', 'active', 1, ${start} + number,
      ${start} + number, ${organizationIdOf(organizationOf)} from ${numbers} where number % 10 = 0`;

const insertRoles = (numbers: Sql): Sql =>
  sql`insert into authorization_roles (instance_id, authorization_id, role_key)
    select ${instanceId}, ${authorizationId}, case when number % 100 = 0 then 'admin' else 'reader' end
    from ${numbers} where number % 10 = 0`;

function insertEvents(numbers: Sql, organizationOf: Sql): Sql {
  const types = eventTypes.map((type, index) => {
    const aggregate = type.split(".", 1)[0] ?? "";
    return sql`select cast(${index} as bigint) as "index", cast(${type} as text) as type, cast(${aggregate} as text) as aggregate_type`;
  });
  const count = sql`cast(${eventTypes.length} as bigint)`;
  return sql`insert into events (instance_id, aggregate_type, aggregate_id, sequence, type, owner_id, payload, editor_user_id, editor_client_id,
      request_id, created_at)
    select ${instanceId}, aggregate_type, ${userId}, "index" + 1, type, ${organizationIdOf(organizationOf)}, '{}',
      cast(100000000000000000 + number % 1000 as text), ${null}, 'bench', ${start} + number * ${count} + "index"
    from ${numbers} cross join (${join(types, " union all ")}) types`;
}
