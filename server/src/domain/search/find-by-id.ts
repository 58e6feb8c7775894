import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { listTargets } from "../action/index.ts";
import { listAuthorizations } from "../authorization/index.ts";
import { listEvents } from "../event-log/index.ts";
import { listSessions } from "../session/index.ts";
import { listSignInAttempts, type SignInAttempt } from "../sign-in-attempt/index.ts";
import { type Hit, mostOfKind, type Wanted } from "./hit.ts";

interface Deps {
  readonly database: Database;
}

const onePage = { page: { offset: 0, limit: 1 }, isDescending: false } as const;

/** Finds what has no name of its own: sessions, targets, role assignments, events and
 * attempts to sign in. The lists of each decide. */
export async function findById(deps: Deps, call: Call, { text: id, organizationId }: Wanted): Promise<Hit[]> {
  // Such ids have no blanks, and lists need not be asked for the words of a name.
  if (/\s/.test(id)) return [];
  const found = await Promise.all([
    findSession(deps, call, id),
    findTarget(deps, call, id),
    findAuthorization(deps, call, id),
    findEvents(deps, call, id),
    findSignInAttempts(deps, call, id),
  ]);
  return found.flat().filter((hit) => organizationId === undefined || hit.organizationId === organizationId);
}

async function findSession(deps: Deps, call: Call, id: string): Promise<Hit[]> {
  const { sessions } = await listSessions(deps, call, { ...onePage, filters: [{ by: "ids", ids: [id] }] });
  return sessions.map(({ session, loginName, displayName }) => ({
    kind: "session",
    id,
    name: displayName,
    detail: loginName,
    organizationId: session.organizationId ?? "",
    ...(session.userId !== undefined && { userId: session.userId }),
  }));
}

/** An attempt to sign in has an id, and the reference that its user was shown. */
async function findSignInAttempts(deps: Deps, call: Call, id: string): Promise<Hit[]> {
  // One page: the newest are shown.
  const page = { page: { offset: 0, limit: mostOfKind }, isDescending: true };
  const [own, shown] = await Promise.all([
    listSignInAttempts(deps, call, { ...page, filters: [{ by: "ids", attemptIds: [id] }] }),
    listSignInAttempts(deps, call, { ...page, filters: [{ by: "reference", reference: id }] }),
  ]);
  return [
    ...own.rows.map((attempt) => toHit(attempt, attempt.reference)),
    ...shown.rows.map((attempt) => toHit(attempt, id)),
  ];
}

const toHit = ({ attemptId, user }: SignInAttempt, reference: string): Hit => ({
  kind: "sign_in_attempt",
  id: attemptId,
  name: user?.displayName ?? "",
  detail: reference,
  organizationId: user?.organizationId ?? "",
  ...(user !== undefined && { userId: user.userId }),
});

async function findTarget(deps: Deps, call: Call, id: string): Promise<Hit[]> {
  if (!requireCaller(call).access.allows("action.target.read", {})) return [];
  const filters = [{ by: "ids", targetIds: [id] } as const];
  const { rows } = await listTargets(deps, call, { ...onePage, orderBy: "id", filters });
  return rows.map(({ name, endpoint }) => ({ kind: "target", id, name, detail: endpoint, organizationId: "" }));
}

async function findAuthorization(deps: Deps, call: Call, id: string): Promise<Hit[]> {
  const filters = [{ kind: "ids", authorizationIds: [id] } as const];
  const { rows } = await listAuthorizations(deps, call, { ...onePage, orderBy: "authorization_id", filters });
  return rows.map((row) => ({
    kind: "authorization",
    id,
    name: row.projectName,
    detail: row.userId === "" ? row.groupName : row.preferredLoginName,
    organizationId: row.organizationId,
    state: row.state,
    projectId: row.projectId,
    ...(row.userId !== "" && { userId: row.userId }),
  }));
}

async function findEvents(deps: Deps, call: Call, id: string): Promise<Hit[]> {
  if (!requireCaller(call).access.allows("events.read", {})) return [];
  const [last] = await listEvents(deps, call, {
    limit: 1,
    isAscending: false,
    types: [],
    aggregateTypes: [],
    aggregateId: id,
    time: {},
  });
  if (last === undefined) return [];
  const { aggregateType: name, type: detail, ownerId } = last;
  const organizationId = ownerId === call.instanceId ? "" : ownerId;
  return [{ kind: "events", id, name, detail, organizationId }];
}
