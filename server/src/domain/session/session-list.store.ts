import type { Reach } from "../../call/index.ts";
import {
  type InstantMethod,
  instantFilter,
  join,
  type List,
  type ListFilter,
  list,
  orderOf,
  type Page,
  picked,
  planList,
  type Reader,
  readList,
  type Sql,
  sql,
  text,
  type VisibleRows,
} from "../../database/index.ts";
import { type SessionRow, sessionColumns, toSession } from "./session.store.ts";
import { hostedLogin, type Session } from "./session.ts";

/** A session with the names of its user. */
export interface ReadSession {
  readonly session: Session;
  readonly loginName: string;
  readonly displayName: string;
}

/** One condition on sessions. */
export type SessionFilter =
  | { readonly by: "ids"; readonly ids: readonly string[] }
  | { readonly by: "user"; readonly userId: string }
  | { readonly by: "creator"; readonly userId: string }
  /** Sessions with this fingerprint; with that of the caller's own session when absent. */
  | { readonly by: "userAgent"; readonly fingerprintId: string | undefined }
  | { readonly by: "createdAt" | "expiresAt"; readonly method: InstantMethod; readonly instant: number };

/** The viewer of sessions, and what their permission reaches. */
export interface SessionViewer {
  readonly userId: string;
  readonly sessionId: string | undefined;
  readonly reach: Reach;
  /** Whether the viewer is an application with rights of its own: its user let it see nothing of other users. */
  readonly isLimited: boolean;
}

interface Row extends SessionRow {
  readonly loginName: string | null;
  readonly displayName: string | null;
}

const columns = sql`${sessionColumns}, users.preferred_login_name as "loginName", users.display_name as "displayName"`;
const from = sql`sessions left join users on users.instance_id = sessions.instance_id and users.user_id = sessions.user_id`;

/** Finds a session that was not ended, if the viewer may see it. */
export async function findVisibleSession(
  reader: Reader,
  instanceId: string,
  key: { readonly sessionId: string; readonly viewer: SessionViewer | undefined },
): Promise<ReadSession | undefined> {
  const visible = key.viewer === undefined ? sql`` : sql`and ${isVisible(instanceId, key.viewer)}`;
  const row = await reader.maybe<Row>(sql`select ${columns} from ${from}
    where sessions.instance_id = ${instanceId} and sessions.session_id = ${key.sessionId} and sessions.terminated_at is null ${visible}`);
  return row && toRead(row, instanceId);
}

/** Returns one page of the sessions that the viewer may see, by creation. */
export async function listVisibleSessions(
  reader: Reader,
  instanceId: string,
  wanted: {
    readonly viewer: SessionViewer;
    readonly filters: readonly SessionFilter[];
    readonly page: Page;
    readonly isDescending: boolean;
  },
): Promise<List<ReadSession>> {
  const { viewer, filters, page, isDescending } = wanted;
  const instance = sql`sessions.instance_id = ${instanceId}`;
  const id = text("sessions.session_id");
  const plan = await planList(
    reader,
    { from: text("sessions"), instance, id },
    filters.map((filter) => toListFilter(instanceId, viewer, filter)),
    visibleRows(instanceId, viewer),
  );
  const live = sql`sessions.terminated_at is null`;
  const { rows, total } = await readList<Row>(plan.reader, {
    isPlanned: true,
    columns,
    from: text("sessions"),
    joins: sql`left join users on users.instance_id = sessions.instance_id and users.user_id = sessions.user_id`,
    where: [instance, live, ...plan.where],
    counted: { from: text("sessions"), instance: sql`${instance} and ${live}`, plan: plan.counted },
    orderBy: orderOf(plan, text("sessions.created_at"), "instant"),
    id,
    isDescending,
    page,
    weight: text("length(sessions.metadata) + length(sessions.user_agent)"),
  });
  return { rows: rows.map((row) => toRead(row, instanceId)), total };
}

/**
 * Conditions for what a viewer may see: their own sessions, those that they created, those of the same user agent, and
 * those within the reach of the permission. Those created and those of the user agent may be of other users.
 */
function visibleParts(instanceId: string, viewer: SessionViewer): Sql[] {
  const { userId, reach, isLimited } = viewer;
  const own = sql`sessions.user_id = ${userId}`;
  const parts = isLimited ? [own] : [own, isMadeBy(userId), isOfCallersAgent(instanceId, viewer)];
  const ofReach = sql`sessions.organization_id in ${list(reach.organizationIds)}`;
  return reach.organizationIds.length === 0 ? parts : [...parts, ofReach];
}

const isVisible = (instanceId: string, viewer: SessionViewer): Sql =>
  viewer.reach.everywhere ? sql`1 = 1` : sql`(${join(visibleParts(instanceId, viewer), " or ")})`;

/** The same for a list. Each part has an index of its own, which the engines do not use for a condition with "or". */
function visibleRows(instanceId: string, viewer: SessionViewer): VisibleRows | undefined {
  if (viewer.reach.everywhere) return undefined;
  const found = join(
    visibleParts(instanceId, viewer).map(
      (part) => sql`select sessions.session_id from sessions where sessions.instance_id = ${instanceId} and ${part}`,
    ),
    " union all ",
  );
  const candidates = {
    condition: sql`sessions.session_id in (${found})`,
    isExact: false,
    first: (count: number) => sql`select session_id as "id" from (${found}) seen limit ${count}`,
  };
  const isOwn = viewer.reach.organizationIds.length === 0;
  return { condition: picked(isVisible(instanceId, viewer)), candidates, isOwn };
}

/** A session that this user created through the API; the index leaves out those of the hosted login, which are most. */
const isMadeBy = (creatorId: string): Sql =>
  creatorId === hostedLogin
    ? sql`sessions.creator_id = ${creatorId}`
    : sql`(sessions.creator_id = ${creatorId} and sessions.creator_id <> ${text(`'${hostedLogin}'`)})`;

// Null is never equal, so a session without a fingerprint matches no other; nor does a session stored with an empty
// one.
const isOfCallersAgent = (instanceId: string, { sessionId }: SessionViewer): Sql =>
  sql`sessions.user_agent_fingerprint = (select own.user_agent_fingerprint from sessions own
    where own.instance_id = ${instanceId} and own.session_id = ${sessionId ?? ""} and own.user_agent_fingerprint <> '')`;

/** A filter whose sessions an index finds. */
const indexed = (condition: Sql, atMost?: number): ListFilter => ({
  condition: picked(condition),
  candidates: { condition, isExact: true, ...(atMost !== undefined && { atMost }) },
});

function toListFilter(instanceId: string, viewer: SessionViewer, filter: SessionFilter): ListFilter {
  const condition = toCondition(instanceId, viewer, filter);
  switch (filter.by) {
    case "ids":
      return indexed(condition, filter.ids.length);
    case "user":
    case "creator":
    case "userAgent":
      return indexed(condition);
    case "createdAt":
    case "expiresAt":
      return { condition, candidates: undefined };
    default:
      return filter satisfies never;
  }
}

function toCondition(instanceId: string, viewer: SessionViewer, filter: SessionFilter): Sql {
  switch (filter.by) {
    case "ids":
      return sql`sessions.session_id in ${list(filter.ids)}`;
    case "user":
      return sql`sessions.user_id = ${filter.userId}`;
    case "creator":
      return isMadeBy(filter.userId);
    case "userAgent":
      return filter.fingerprintId === undefined
        ? isOfCallersAgent(instanceId, viewer)
        : sql`sessions.user_agent_fingerprint = ${filter.fingerprintId}`;
    case "createdAt":
      return instantFilter(text("sessions.created_at"), filter.method, filter.instant);
    case "expiresAt":
      return instantFilter(text("sessions.expires_at"), filter.method, filter.instant);
    default:
      return filter satisfies never;
  }
}

const toRead = (row: Row, instanceId: string): ReadSession => ({
  session: toSession(row, instanceId),
  loginName: row.loginName ?? "",
  displayName: row.displayName ?? "",
});
