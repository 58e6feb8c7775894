import { join, type Sql, sql, text } from "../../server/src/database/index.ts";
import type { Api } from "../product/api.ts";
import { fill, numbers, type Spread, type Where } from "../scale/fill.ts";
import type { Loader } from "../scale/loader.ts";
import { withoutIndexes } from "../scale/without-indexes.ts";

/** What a large instance has besides its users; each is made over the API, and copied in the database. */
export interface Made extends Where {
  readonly applicationId: string;
  readonly identityProviderId: string;
  readonly targetId: string;
}

/** How much there is of everything. */
export interface Amounts {
  readonly users: number;
  readonly organizations: number;
  readonly projects: number;
  readonly applications: number;
  readonly groups: number;
  readonly sessions: number;
  readonly attempts: number;
}

/** Returns the amounts of an instance with so many users. */
export const amountsOf = (users: number): Amounts => ({
  users,
  organizations: Math.ceil(users / 1000),
  projects: Math.ceil(users / 1000),
  applications: Math.ceil(users / 500),
  groups: Math.ceil(users / 200),
  sessions: Math.ceil(users / 2),
  attempts: Math.ceil(users / 2),
});

/** Four of seven users are in the first organization, and the others in all by turn. */
export const organizationOf = (number: number, { organizations }: Amounts): number =>
  number % 7 < 4 ? 0 : Math.floor(number / 7) % organizations;

const whole = (number: number): Sql => sql`cast(${number} as bigint)`;

const spreadOf = ({ organizations, users }: Amounts): Spread => ({
  organizations,
  eventful: Math.ceil(users / 5),
  organizationOf: sql`case when number % 7 < 4 then 0 else (number / 7) % ${whole(organizations)} end`,
});

const kinds = {
  user: 1,
  organization: 2,
  project: 4,
  application: 5,
  grant: 6,
  authorization: 7,
  session: 8,
  other: 9,
};

/** The id of a thing by its number, as a text of the database. */
const idOf = (kind: keyof typeof kinds, number: Sql): Sql =>
  sql`cast(${text(`${kinds[kind]}00000000000000000`)} + ${number} as text)`;

/** The same here. */
export const idAt = (kind: keyof typeof kinds, number: number): string =>
  `${BigInt(kinds[kind]) * 100_000_000_000_000_000n + BigInt(number)}`;

const instanceId = text("(select instance_id from instances)");
const number = text("number");

/** Makes one of each kind over the API. */
export async function makeOne(api: Api): Promise<Made> {
  const organizationId = (await api("/v2/organizations/_search", {})).result[0].id;
  const projects = "/service.project.v2.ProjectService";
  const { projectId } = await api(`${projects}/CreateProject`, { organizationId, name: "Bench" });
  for (const roleKey of ["admin", "reader"]) {
    await api(`${projects}/AddProjectRole`, { projectId, roleKey, displayName: roleKey });
  }
  const { applicationId } = await api("/service.application.v2.ApplicationService/CreateApplication", {
    projectId,
    name: "Bench",
    oidcConfiguration: {
      redirectUris: ["https://app.example.com/callback"],
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
    },
  });
  const google = { name: "Google", clientId: "bench", clientSecret: "bench" };
  const { id: identityProviderId } = await api("/service.admin.v1.AdminService/AddGoogleProvider", google);
  const { id: targetId } = await api("/service.action.v2.ActionService/CreateTarget", {
    name: "Bench",
    restAsync: {},
    timeout: "1s",
    endpoint: "https://hooks.example.com/",
  });
  return { organizationId, projectId, applicationId, identityProviderId, targetId };
}

/** Fills a database with users, and with all that the console shows besides. Rows are made inside the database. */
export async function fillInstance(loader: Loader, made: Made, amounts: Amounts): Promise<void> {
  const { users } = amounts;
  await fill(loader, made, users, spreadOf(amounts));
  const into = (table: string, statement: Sql): Promise<void> =>
    withoutIndexes(loader, table, () => loader.run(statement));
  const now = Date.now();
  await into("projects", insertProjects(loader, amounts, now));
  await into("project_roles", insertProjectRoles(loader, amounts, now));
  await into("applications", insertApplications(loader, made, amounts));
  await into("project_grants", insertGrants(loader, amounts, now));
  await into("authorizations", insertAuthorizations(loader, amounts, now));
  await into("authorization_roles", insertAuthorizationRoles(loader, amounts));
  await into("user_groups", insertGroups(loader, amounts, now));
  await into("user_group_members", insertMembers(loader, amounts, now));
  await into("memberships", insertMemberships(loader, amounts, now));
  await into("membership_roles", insertMembershipRoles());
  await into("sessions", insertSessions(loader, amounts, now));
  await into("sign_in_attempts", insertAttempts(loader, amounts, now));
  await into("identity_links", insertLinks(loader, made, amounts));
  await into("statistics", insertStatistics(loader, amounts, now));
  await into("bulk_jobs", insertJobs(loader, now));
  await into("bulk_job_rows", insertJobRows(loader, amounts, now));
  await into("deliveries", insertDeliveries(loader, made, amounts));
  await loader.run(blockUsers(now));
  await loader.run(moveCursors(loader));
}

const own = (kind: keyof typeof kinds): Sql => idOf(kind, number);
const at = (kind: keyof typeof kinds, count: number): Sql => idOf(kind, sql`number % ${whole(count)}`);

const insertProjects = (loader: Loader, { projects, organizations }: Amounts, now: number): Sql =>
  sql`insert into projects (instance_id, project_id, organization_id, name, name_key, state, is_role_assertion_on,
      is_authorization_required, is_project_access_required, private_labeling, sequence, created_at, changed_at)
    select ${instanceId}, ${own("project")}, ${at("organization", organizations)}, 'Project ' || number, 'project ' || number,
      'active', 0, 0, 0, private_labeling, 1, ${whole(now)} - number, ${whole(now)} - number
    from ${numbers(loader, projects)} cross join (select private_labeling from projects where name = 'Bench') bench`;

const insertProjectRoles = (loader: Loader, { projects }: Amounts, now: number): Sql =>
  sql`insert into project_roles (instance_id, project_id, role_key, display_name, role_group, created_at, changed_at)
    select ${instanceId}, ${own("project")}, role_key, role_key, '', ${whole(now)}, ${whole(now)}
    from ${numbers(loader, projects)} cross join (select 'admin' as role_key union all select 'reader') roles`;

const insertApplications = (
  loader: Loader,
  { applicationId }: Made,
  { applications, projects, organizations }: Amounts,
): Sql =>
  sql`insert into applications (instance_id, application_id, project_id, organization_id, name, name_key, state, kind,
      client_id, configuration, sequence, created_at, changed_at)
    select ${instanceId}, ${own("application")}, ${at("project", projects)},
      ${idOf("organization", sql`number % ${whole(projects)} % ${whole(organizations)}`)},
      'Application ' || number, 'application ' || number, 'active', bench.kind, ${own("application")}, bench.configuration, 1,
      bench.created_at + number, bench.changed_at + number
    from ${numbers(loader, applications)}
    cross join (select * from applications where application_id = ${applicationId}) bench`;

const insertGrants = (loader: Loader, { projects, organizations }: Amounts, now: number): Sql =>
  sql`insert into project_grants (instance_id, grant_id, project_id, organization_id, granted_organization_id, state,
      sequence, created_at, changed_at)
    select ${instanceId}, ${own("grant")}, ${at("project", projects)},
      ${idOf("organization", sql`number % ${whole(projects)} % ${whole(organizations)}`)},
      ${idOf("organization", sql`(number + 1 + number / ${whole(projects)}) % ${whole(organizations)}`)},
      'active', 1, ${whole(now)} - number, ${whole(now)} - number
    from ${numbers(loader, 3 * projects)}`;

// Three tenths of the users, in projects by turn, besides the tenth that has a role in the first one.
const assigned = text("number % 10 in (1, 2, 3)");

const insertAuthorizations = (loader: Loader, amounts: Amounts, now: number): Sql => {
  const { users, projects, organizations } = amounts;
  return sql`insert into authorizations (instance_id, authorization_id, user_id, project_id, organization_id, project_grant_id,
      state, sequence, created_at, changed_at, user_organization_id)
    select ${instanceId}, ${own("authorization")}, ${own("user")}, ${at("project", projects)},
      ${idOf("organization", sql`number % ${whole(projects)} % ${whole(organizations)}`)}, '', 'active', 1,
      ${whole(now)} - number, ${whole(now)} - number, ${idOf("organization", spreadOf(amounts).organizationOf)}
    from ${numbers(loader, users)} where ${assigned}`;
};

const insertAuthorizationRoles = (loader: Loader, { users }: Amounts): Sql =>
  sql`insert into authorization_roles (instance_id, authorization_id, role_key)
    select ${instanceId}, ${own("authorization")}, 'reader' from ${numbers(loader, users)} where ${assigned}`;

const insertGroups = (loader: Loader, { groups, organizations }: Amounts, now: number): Sql =>
  sql`insert into user_groups (instance_id, group_id, organization_id, name, name_key, description, sequence, created_at, changed_at)
    select ${instanceId}, ${own("other")}, ${at("organization", organizations)}, 'Group ' || number, 'group ' || number, '', 1,
      ${whole(now)} - number, ${whole(now)} - number from ${numbers(loader, groups)}`;

// A twentieth of the users are in the first group, and a fifth in the others by turn.
const insertMembers = (loader: Loader, { users, groups }: Amounts, now: number): Sql =>
  sql`insert into user_group_members (instance_id, group_id, user_id, created_at)
    select ${instanceId}, case when number % 20 = 3 then ${idOf("other", text("0"))}
      else ${idOf("other", sql`1 + (number / 5) % ${whole(groups - 1)}`)} end, ${own("user")}, ${whole(now)} - number
    from ${numbers(loader, users)} where number % 20 = 3 or number % 5 = 0`;

const insertMemberships = (loader: Loader, { organizations }: Amounts, now: number): Sql =>
  sql`insert into memberships (instance_id, level, resource_id, user_id, organization_id, sequence, created_at, changed_at)
    select ${instanceId}, 'organization', ${at("organization", organizations)}, ${own("user")}, ${at("organization", organizations)},
      1, ${whole(now)} - number, ${whole(now)} - number from ${numbers(loader, 5 * organizations)}
    union all select ${instanceId}, 'instance', ${instanceId}, ${own("user")}, '', 1, ${whole(now)}, ${whole(now)}
      from ${numbers(loader, 20)}`;

const insertMembershipRoles = (): Sql =>
  sql`insert into membership_roles (instance_id, level, resource_id, user_id, role)
    select instance_id, level, resource_id, user_id, case level when 'instance' then 'IAM_OWNER' else 'ORG_OWNER' end
    from memberships where user_id like '1000000%'`;

const month = 30 * 86_400_000;

const insertSessions = (loader: Loader, amounts: Amounts, now: number): Sql => {
  const created = sql`${whole(now)} - (number % 86400) * 29000`;
  return sql`insert into sessions (instance_id, session_id, user_id, organization_id, creator_id, user_checked_at,
      password_checked_at, factors, metadata, user_agent, expires_at, sequence, created_at, changed_at)
    select ${instanceId}, ${own("session")}, ${own("user")}, ${idOf("organization", spreadOf(amounts).organizationOf)}, '/login',
      ${created}, ${created}, '{}', '{}', '{}', ${whole(now + month)}, 1, ${created}, ${created}
    from ${numbers(loader, amounts.sessions)}`;
};

// The newest is one second old, and they go back for 29 days at most.
const insertAttempts = (loader: Loader, amounts: Amounts, now: number): Sql => {
  const started = sql`${whole(now)} - number * 5000 - 1000`;
  return sql`insert into sign_in_attempts (instance_id, attempt_id, user_id, organization_id, client_id, session_id, result,
      reference, source, browser, system, steps, started_at, changed_at, has_failed)
    select ${instanceId}, ${own("session")}, ${own("user")}, ${idOf("organization", spreadOf(amounts).organizationOf)},
      ${at("application", amounts.applications)}, ${own("session")},
      case when number % 12 = 5 then 'failed' when number % 50 = 0 then 'unfinished' else 'signed_in' end,
      'reference' || number, '192.0.2.1', 'Firefox', 'Linux', '', ${started}, ${started},
      case when number % 10 = 5 or number % 12 = 5 then 1 else 0 end
    from ${numbers(loader, amounts.attempts)}`;
};

const insertLinks = (loader: Loader, { identityProviderId }: Made, { users }: Amounts): Sql =>
  sql`insert into identity_links (instance_id, identity_provider_id, speaker, external_user_id, user_id, external_username,
      created_at, changed_at)
    select ${instanceId}, ${identityProviderId}, '', 'external' || number, ${own("user")}, 'external' || number,
      1, 1 from ${numbers(loader, users)} where number % 5 = 2`;

const day = 86_400_000;
const names = [
  "sign_in.password",
  "sign_in.passkey",
  "sign_in.identity_provider",
  "sign_in_failure.password",
  "active_people",
  "user.registered",
  "user.created",
  "token.issued",
  "token.refreshed",
  "token.assertion",
  "message.email_sent",
];

/** Counts of the instance and of the first ten organizations: hours of a week, days of a year, months. */
const insertStatistics = (loader: Loader, { organizations }: Amounts, now: number): Sql => {
  const today = Math.floor(now / day) * day;
  const name = join(
    names.map((each) => sql`select cast(${each} as text) as name`),
    " union all ",
  );
  const owners = sql`(select '' as owner_id union all select ${own("organization")} from ${numbers(loader, Math.min(10, organizations))}) owners`;
  return sql`insert into statistics (instance_id, organization_id, granularity, bucket_start, name, amount)
    select ${instanceId}, owner_id, 'day', ${whole(today)} - number * ${whole(day)}, name, 1000 + number
      from ${numbers(loader, 365)} cross join (${name}) names cross join ${owners}
    union all select ${instanceId}, owner_id, 'hour', ${whole(today)} - number * 3600000, name, 100 + number
      from ${numbers(loader, 168)} cross join (${name}) names cross join ${owners}`;
};

const insertJobs = (loader: Loader, now: number): Sql =>
  sql`insert into bulk_jobs (instance_id, job_id, organization_id, creator_id, creator, action, arguments, is_dry_run, state,
      total, succeeded, sequence, created_at, changed_at, started_at, ended_at, is_cleared)
    select ${instanceId}, ${own("other")}, '', ${idOf("user", text("1"))}, '{}', 'lock', '{}', 0, 'completed', 100000, 100000,
      1, ${whole(now)} - number * 60000, ${whole(now)}, ${whole(now)}, ${whole(now)}, 1 from ${numbers(loader, 2000)}`;

const insertJobRows = (loader: Loader, { users }: Amounts, now: number): Sql =>
  sql`insert into bulk_job_rows (instance_id, job_id, position, user_id, outcome, settled_at, created_at)
    select ${instanceId}, ${idOf("other", text("0"))}, number, ${own("user")},
      case when number % 100 = 0 then 'failed' else 'succeeded' end, ${whole(now)}, ${whole(now)}
    from ${numbers(loader, Math.ceil(users / 10))}`;

const insertDeliveries = (loader: Loader, { targetId }: Made, { users }: Amounts): Sql =>
  sql`insert into deliveries (instance_id, target_id, number, lane, subject, state, attempts, next_attempt_at, created_at, settled_at)
    select ${instanceId}, ${targetId}, number + 1, '', 'user.created', 'delivered', 1, 0, ${whole(Date.now())} - number,
      ${whole(Date.now())} - number from ${numbers(loader, Math.ceil(users / 10))}`;

/** One user of a thousand has mistyped the password too often. */
const blockUsers = (now: number): Sql =>
  sql`update users set password_blocked_at = ${whole(now)} where instance_id = ${instanceId} and user_id like '1000000%777'`;

/** Jobs have handled all events: measuring them is not what this is for. */
const moveCursors = ({ engine }: Loader): Sql =>
  engine === "sqlite"
    ? sql`update feed_cursors set position = (select max(position) from events)`
    : sql`update feed_cursors set (transaction_id, position) =
        (select transaction_id::text, position from events order by transaction_id desc, position desc limit 1)`;
