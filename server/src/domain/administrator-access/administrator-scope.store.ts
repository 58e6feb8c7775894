import { inTurn, type Reader, rowLock, type Sql, sql, type Tx, text, type Waiting } from "../../database/index.ts";
import type { AdministeredResource, ResolvedAdministratorScope } from "./membership.ts";

/**
 * Returns a resource, locked until the unit of work ends, so that it cannot be deleted meanwhile. The instance's row is
 * locked exclusively: changes of its owners happen one after another, as the rule about the last owner requires.
 */
export async function holdAdministratorScope(
  tx: Tx,
  resource: AdministeredResource,
): Promise<ResolvedAdministratorScope | undefined> {
  if (resource.level === "instance") await holdInstance(tx);
  return selectScope(
    tx,
    tx.instanceId,
    resource,
    (queue, id) => sql`${inTurn(tx, "share", queue, id)} ${rowLock(tx, "share")}`,
  );
}

/** Finds a resource; undefined when it does not exist. */
export function findAdministratorScope(
  reader: Reader,
  instanceId: string,
  resource: AdministeredResource,
): Promise<ResolvedAdministratorScope | undefined> {
  return selectScope(reader, instanceId, resource, () => text(""));
}

// A grant is changed by those who have its project alone.
type Lock = (queue: "organization" | "project", id: string) => Sql;

async function selectScope(
  reader: Reader,
  instanceId: string,
  resource: AdministeredResource,
  lock: Lock,
): Promise<ResolvedAdministratorScope | undefined> {
  switch (resource.level) {
    case "instance":
      return { level: "instance", resourceId: instanceId, ownerId: instanceId, permissionScopes: [{}] };
    case "organization": {
      const { organizationId } = resource;
      const row = await reader.maybe(sql`select organization_id from organizations
        where instance_id = ${instanceId} and organization_id = ${organizationId} ${lock("organization", organizationId)}`);
      if (row === undefined) return undefined;
      return {
        level: "organization",
        resourceId: organizationId,
        ownerId: organizationId,
        permissionScopes: [{ organizationId }],
      };
    }
    case "project": {
      const { projectId } = resource;
      const row = await reader.maybe<{
        organizationId: string;
      }>(sql`select organization_id as "organizationId" from projects
        where instance_id = ${instanceId} and project_id = ${projectId} ${lock("project", projectId)}`);
      if (row === undefined) return undefined;
      return {
        level: "project",
        resourceId: projectId,
        ownerId: row.organizationId,
        permissionScopes: [{ ...row, projectId }],
      };
    }
    case "project_grant":
      return selectGrant(reader, instanceId, resource, lock);
    default:
      return resource satisfies never;
  }
}

/** A user who gets a membership, and their home organization. */
export interface Appointee {
  readonly userId: string;
  readonly organizationId: string;
  /** Whether it is a service account. */
  readonly isMachine: boolean;
}

/**
 * Returns the user if they exist. Locks the user alone until the unit of work ends, so that a user who is being deleted
 * gets no position, and sessions that are being opened (`holdSignInEpoch`) come before or afterwards.
 */
export async function holdAppointee(tx: Tx, userId: string, waiting: Waiting = "wait"): Promise<Appointee | undefined> {
  const row = await tx.maybe<Omit<Appointee, "isMachine"> & { readonly kind: string }>(sql`
    select user_id as "userId", organization_id as "organizationId", kind from users
    where instance_id = ${tx.instanceId} and user_id = ${userId}
    ${inTurn(tx, "alone", "user", userId, waiting)} ${rowLock(tx, "alone", waiting)}`);
  if (row === undefined) return undefined;
  const { kind, ...appointee } = row;
  return { ...appointee, isMachine: kind === "machine" };
}

/** Locks the row of the instance exclusively until the unit of work ends. */
export async function holdInstance(tx: Tx): Promise<void> {
  await tx.maybe(sql`select instance_id from instances where instance_id = ${tx.instanceId} ${rowLock(tx, "alone")}`);
}

async function selectGrant(
  reader: Reader,
  instanceId: string,
  resource: Extract<AdministeredResource, { readonly level: "project_grant" }>,
  lock: Lock,
): Promise<ResolvedAdministratorScope | undefined> {
  const { projectId } = resource;
  const which =
    "grantId" in resource
      ? sql`grant_id = ${resource.grantId}`
      : sql`granted_organization_id = ${resource.grantedOrganizationId}`;
  const row = await reader.maybe<{ grantId: string; organizationId: string; grantedOrganizationId: string }>(sql`select
      grant_id as "grantId", organization_id as "organizationId", granted_organization_id as "grantedOrganizationId"
    from project_grants where instance_id = ${instanceId} and project_id = ${projectId} and ${which} ${lock("project", projectId)}`);
  if (row === undefined) return undefined;
  const { grantId, organizationId, grantedOrganizationId } = row;
  return {
    level: "project_grant",
    resourceId: grantId,
    ownerId: organizationId,
    permissionScopes: [
      { organizationId, projectId, projectGrantId: grantId },
      { organizationId: grantedOrganizationId, projectGrantId: grantId },
    ],
  };
}
