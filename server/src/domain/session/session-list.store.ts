import type { Reach } from "../../call/index.ts";
import {
  type InstantMethod,
  instantFilter,
  join,
  type List,
  list,
  type Page,
  type Reader,
  readList,
  type Sql,
  sql,
  text,
} from "../../database/index.ts";
import { type SessionRow, sessionColumns, toSession } from "./session.store.ts";
import type { Session } from "./session.ts";

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
  /** Sessions of this fingerprint; of the one that the caller's own session has, when none is given. */
  | { readonly by: "userAgent"; readonly fingerprintId: string | undefined }
  | { readonly by: "createdAt" | "expiresAt"; readonly method: InstantMethod; readonly instant: number };

/** Whose view of the sessions it is. */
export interface SessionViewer {
  readonly userId: string;
  readonly sessionId: string | undefined;
  readonly reach: Reach;
}

interface Row extends SessionRow {
  readonly loginName: string | null;
  readonly displayName: string | null;
}

const columns = sql`${sessionColumns}, users.preferred_login_name as "loginName", users.display_name as "displayName"`;
const from = sql`sessions left join users on users.instance_id = sessions.instance_id and users.user_id = sessions.user_id`;

/** A session that was not ended, as the viewer may see it. */
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

/** One page of the sessions that the viewer may see, by creation. */
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
  const { rows, total } = await readList<Row>(reader, {
    columns,
    from,
    where: [
      sql`sessions.instance_id = ${instanceId}`,
      sql`sessions.terminated_at is null`,
      isVisible(instanceId, viewer),
      ...filters.map((filter) => toCondition(instanceId, viewer, filter)),
    ],
    orderBy: text("sessions.created_at"),
    id: text("sessions.session_id"),
    isDescending,
    page,
  });
  return { rows: rows.map((row) => toRead(row, instanceId)), total };
}

/** What somebody may see: what the permission reaches, his own, those that he made, those of the same user agent. */
function isVisible(instanceId: string, viewer: SessionViewer): Sql {
  const { userId, reach } = viewer;
  if (reach.everywhere) return sql`1 = 1`;
  const conditions = [
    sql`sessions.user_id = ${userId}`,
    sql`sessions.creator_id = ${userId}`,
    isOfCallersAgent(instanceId, viewer),
  ];
  if (reach.organizationIds.length > 0)
    conditions.push(sql`sessions.organization_id in ${list(reach.organizationIds)}`);
  return sql`(${join(conditions, " or ")})`;
}

// Null is never equal, so a session without a fingerprint sees no other.
const isOfCallersAgent = (instanceId: string, { sessionId }: SessionViewer): Sql =>
  sql`sessions.user_agent_fingerprint = (select own.user_agent_fingerprint from sessions own
    where own.instance_id = ${instanceId} and own.session_id = ${sessionId ?? ""})`;

function toCondition(instanceId: string, viewer: SessionViewer, filter: SessionFilter): Sql {
  switch (filter.by) {
    case "ids":
      return sql`sessions.session_id in ${list(filter.ids)}`;
    case "user":
      return sql`sessions.user_id = ${filter.userId}`;
    case "creator":
      return sql`sessions.creator_id = ${filter.userId}`;
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
