import { rowLock, sql, type Tx } from "../../database/index.ts";
import type { AdministeredResource, Place } from "./membership.ts";

/**
 * The place of a resource, held until the unit of work ends, so that it cannot go away meanwhile. The instance's row is held alone:
 * changes of its owners happen one after another, which is what the rule about the last owner needs.
 */
export async function holdPlace(tx: Tx, resource: AdministeredResource): Promise<Place | undefined> {
  const { instanceId } = tx;
  switch (resource.level) {
    case "instance":
      await holdInstance(tx);
      return { level: "instance", resourceId: instanceId, ownerId: instanceId, scopes: [{}] };
    case "organization": {
      const { organizationId } = resource;
      const row = await tx.maybe(sql`select organization_id from organizations
        where instance_id = ${instanceId} and organization_id = ${organizationId} ${rowLock(tx, "share")}`);
      if (row === undefined) return undefined;
      return {
        level: "organization",
        resourceId: organizationId,
        ownerId: organizationId,
        scopes: [{ organizationId }],
      };
    }
    case "project": {
      const { projectId } = resource;
      const row = await tx.maybe<{
        organizationId: string;
      }>(sql`select organization_id as "organizationId" from projects
        where instance_id = ${instanceId} and project_id = ${projectId} ${rowLock(tx, "share")}`);
      if (row === undefined) return undefined;
      return { level: "project", resourceId: projectId, ownerId: row.organizationId, scopes: [{ ...row, projectId }] };
    }
    case "project_grant":
      return holdGrant(tx, resource);
    default:
      return resource satisfies never;
  }
}

/** Whether there is such a user; holds it until the unit of work ends, so that nobody who is being deleted gets a position. */
export async function holdUser(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx.maybe(sql`select user_id from users
    where instance_id = ${tx.instanceId} and user_id = ${userId} ${rowLock(tx, "share")}`);
  return row !== undefined;
}

/** Holds the row of the instance alone until the unit of work ends. */
export async function holdInstance(tx: Tx): Promise<void> {
  await tx.maybe(sql`select instance_id from instances where instance_id = ${tx.instanceId} ${rowLock(tx, "alone")}`);
}

async function holdGrant(
  tx: Tx,
  resource: { readonly projectId: string; readonly grantedOrganizationId: string },
): Promise<Place | undefined> {
  const { projectId, grantedOrganizationId } = resource;
  const row = await tx.maybe<{ grantId: string; organizationId: string }>(sql`select grant_id as "grantId",
      organization_id as "organizationId"
    from project_grants where instance_id = ${tx.instanceId} and project_id = ${projectId}
      and granted_organization_id = ${grantedOrganizationId} ${rowLock(tx, "share")}`);
  if (row === undefined) return undefined;
  const { grantId, organizationId } = row;
  return {
    level: "project_grant",
    resourceId: grantId,
    ownerId: organizationId,
    scopes: [
      { organizationId, projectId, projectGrantId: grantId },
      { organizationId: grantedOrganizationId, projectGrantId: grantId },
    ],
  };
}
