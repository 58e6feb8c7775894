import { authorize, type Call, requireCaller, requireOrganization } from "../../call/index.ts";
import type { Database, NewEvent, Reader } from "../../database/index.ts";
import { applicationAggregate, getApplication } from "../application/index.ts";
import { shownSince } from "../instance/index.ts";
import { getOrganization, organizationAggregate } from "../organization/index.ts";
import {
  getProjectGrant,
  projectAbsence,
  projectAggregate,
  projectGrantAggregate,
  requireProjectOfOrganization,
} from "../project/index.ts";
import { requireUserOfOrganization, userAggregate, visibleUsers } from "../user/index.ts";
import { getUser } from "../user-search/index.ts";
import { type ChangePage, findChanges, type ListedChange } from "./change-list.store.ts";

export type { ChangePage, ListedChange } from "./change-list.store.ts";

interface Deps {
  readonly database: Database;
}

/** Lists the changes of the caller's own user. */
export function listOwnChanges(
  { read }: { readonly read: Reader },
  call: Call,
  page: ChangePage,
): Promise<ListedChange[]> {
  const { userId, organizationId } = requireCaller(call);
  return findShown(read, call, userAggregate({ userId, organizationId }), page);
}

/** Lists the changes of a user of the organization of the call, for callers who may read the user. */
export async function listUserChanges(
  deps: Deps,
  call: Call,
  { userId, ...page }: ChangePage & { readonly userId: string },
): Promise<ListedChange[]> {
  const { read } = deps.database;
  await requireUserOfOrganization(read, call, userId);
  return findShown(read, call, userAggregate(await getUser(deps, call, { userId })), page);
}

/** Lists the changes of the organization of the call, for callers who may read it. */
export async function listOrganizationChanges(deps: Deps, call: Call, page: ChangePage): Promise<ListedChange[]> {
  const { organizationId } = await getOrganization(deps, call, requireOrganization(call));
  return findShown(deps.database.read, call, organizationAggregate(organizationId), page);
}

/** Lists the changes of a project of the organization of the call, for callers who may read the project. */
export async function listProjectChanges(
  deps: Deps,
  call: Call,
  { projectId, ...page }: ChangePage & { readonly projectId: string },
): Promise<ListedChange[]> {
  const { read } = deps.database;
  return findShown(read, call, projectAggregate(await readOwnProject(read, call, projectId)), page);
}

/** Lists the changes of an application of such a project, for callers who may read the application. */
export async function listApplicationChanges(
  deps: Deps,
  call: Call,
  { projectId, applicationId, ...page }: ChangePage & { readonly projectId: string; readonly applicationId: string },
): Promise<ListedChange[]> {
  const { read } = deps.database;
  await requireProjectOfOrganization(read, call, projectId);
  const application = await getApplication(deps, call, { projectId, applicationId });
  return findShown(read, call, applicationAggregate(application), page);
}

/** Lists the changes of a grant of such a project, for callers who may read the grant. */
export async function listProjectGrantChanges(
  deps: Deps,
  call: Call,
  { projectId, grantId, ...page }: ChangePage & { readonly projectId: string; readonly grantId: string },
): Promise<ListedChange[]> {
  const { read } = deps.database;
  await requireProjectOfOrganization(read, call, projectId, "project_grant.not_found");
  const grant = await getProjectGrant(deps, call, { projectId, grantId });
  return findShown(read, call, projectGrantAggregate(grant), page);
}

async function findShown(
  reader: Reader,
  call: Call,
  record: Pick<NewEvent, "aggregateType" | "aggregateId">,
  page: ChangePage,
): Promise<ListedChange[]> {
  const since = await shownSince(reader, call, page.since);
  return findChanges(reader, call.instanceId, record, { ...page, since, view: visibleUsers(call) });
}

async function readOwnProject(reader: Reader, call: Call, projectId: string) {
  const project = await requireProjectOfOrganization(reader, call, projectId);
  authorize(call, project, { permission: projectAbsence.readPermission, ...projectAbsence });
  return project;
}
