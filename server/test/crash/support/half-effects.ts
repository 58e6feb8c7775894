/** Something that no moment of the database may show, whenever it was cut off; the statement lists the violations. */
export interface HalfEffect {
  readonly what: string;
  readonly statement: string;
}

/** Rows and events of each kind of resource: every row has its whole history, and every history its row or its end. */
const aggregates = [
  { type: "user", table: "users", id: "user_id" },
  { type: "session", table: "sessions", id: "session_id" },
  { type: "token_family", table: "token_families", id: "family_id" },
  { type: "project", table: "projects", id: "project_id" },
  { type: "application", table: "applications", id: "application_id" },
  { type: "organization", table: "organizations", id: "organization_id" },
] as const;

const histories: readonly HalfEffect[] = aggregates.flatMap(({ type, table, id }) => {
  const events = `(select aggregate_id, max(sequence) as last, count(*) as events,
      max(case when type = '${type}.deleted' then sequence else 0 end) as deleted
    from events where aggregate_type = '${type}' group by aggregate_id) e`;
  return [
    {
      what: `${table} without the event of their last change`,
      statement: `select r.${id} as id, r.sequence, e.last from ${table} r left join ${events} on e.aggregate_id = r.${id}
        where e.last is null or e.last <> r.sequence`,
    },
    {
      what: `events of ${type} without a row`,
      statement: `select e.aggregate_id as id, e.last, e.deleted from ${events} left join ${table} r on r.${id} = e.aggregate_id
        where r.${id} is null and e.deleted <> e.last`,
    },
    {
      what: `${table} with a hole in their history`,
      statement: `select e.aggregate_id as id, e.last, e.events from ${events} where e.events <> e.last`,
    },
  ];
});

const countOf = (type: string): string =>
  `(select count(*) from events e where e.instance_id = f.instance_id and e.aggregate_type = 'token_family'
    and e.aggregate_id = f.family_id and e.type = '${type}')`;
const countIn = (table: string, more = ""): string =>
  `(select count(*) from ${table} x where x.instance_id = f.instance_id and x.family_id = f.family_id ${more})`;

const tokens: readonly HalfEffect[] = [
  {
    what: "families whose access tokens are not those of their events",
    statement: `select f.family_id as id from token_families f where ${countIn("access_tokens")}
      <> ${countOf("token_family.created")} + ${countOf("token_family.refreshed")}`,
  },
  {
    what: "families whose used refresh tokens are not those of their events",
    statement: `select f.family_id as id from token_families f where ${countIn("refresh_tokens", "and x.consumed_at is not null")}
      <> ${countOf("token_family.refreshed")}`,
  },
  {
    what: "families with more or less than one unused refresh token",
    statement: `select f.family_id as id from token_families f where f.session_id is not null
      and ${countIn("refresh_tokens", "and x.consumed_at is null")} <> 1`,
  },
  {
    what: "families revoked without an event, or the other way round",
    statement: `select f.family_id as id from token_families f where ${countOf("token_family.revoked")}
      <> case when f.revoked_at is null then 0 else 1 end`,
  },
  {
    what: "access tokens revoked without an event, or the other way round",
    statement: `select f.family_id as id from token_families f where ${countIn("access_tokens", "and x.revoked_at is not null")}
      <> ${countOf("token_family.access_token.revoked")}`,
  },
  {
    what: "tokens without a family",
    statement: `select x.family_id as id from access_tokens x
        where not exists (select 1 from token_families f where f.family_id = x.family_id)
      union all select x.family_id from refresh_tokens x
        where not exists (select 1 from token_families f where f.family_id = x.family_id)`,
  },
];

const signIns: readonly HalfEffect[] = [
  {
    what: "codes that were used for nothing, or gave something unused",
    statement: `select c.code_hash as id from authorization_codes c
      left join token_families f on f.family_id = c.family_id
      where (c.consumed_at is null) <> (f.family_id is null) or (c.family_id is null) <> (f.family_id is null)`,
  },
  {
    what: "families of a session that came of no code, or of several",
    statement: `select f.family_id as id from token_families f where f.session_id is not null
      and ${countIn("authorization_codes")} <> 1`,
  },
  {
    what: "authorization requests answered without a code, or codes without an answered request",
    statement: `select coalesce(a.auth_request_id, c.auth_request_id) as id
      from auth_requests a full join authorization_codes c on c.auth_request_id = a.auth_request_id
      where a.auth_request_id is null or (a.answered_at is null) <> (c.code_hash is null)`,
  },
  {
    what: "sessions ended without an event, or the other way round",
    statement: `select s.session_id as id from sessions s where (s.terminated_at is null) <> not exists
      (select 1 from events e where e.instance_id = s.instance_id and e.aggregate_type = 'session'
        and e.aggregate_id = s.session_id and e.type = 'session.terminated')`,
  },
  {
    what: "people without the code and the mail for their address",
    statement: `select u.user_id as id from users u where u.is_email_verified = 0 and u.email is not null and (
      not exists (select 1 from one_time_secrets o where o.subject_id = u.user_id)
      or not exists (select 1 from notifications n where n.user_id = u.user_id))`,
  },
  {
    what: "codes or mails for nobody",
    statement: `select o.subject_id as id from one_time_secrets o
        where o.kind like 'email%' and not exists (select 1 from users u where u.user_id = o.subject_id)
      union all select n.user_id from notifications n where not exists (select 1 from users u where u.user_id = n.user_id)`,
  },
];

export const halfEffects: readonly HalfEffect[] = [...histories, ...tokens, ...signIns];

export type Query = (statement: string) => Promise<readonly object[]>;

/** Every half effect that the database shows, with the first few violations. */
export async function findHalfEffects(query: Query): Promise<string[]> {
  const found: string[] = [];
  for (const { what, statement } of halfEffects) {
    const rows = await query(statement);
    if (rows.length > 0) found.push(`${rows.length} ${what}: ${JSON.stringify(rows.slice(0, 3))}`);
  }
  return found;
}
