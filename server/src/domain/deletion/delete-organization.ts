import { Fault } from "../../base/fault.ts";
import { authorizeDeletion, type Call, requireCaller } from "../../call/index.ts";
import { type Database, noteEnded, performBefore, type Tx } from "../../database/index.ts";
import { deleteAssetsOfOrganization } from "../branding/index.ts";
import { deleteJobsOfOrganization } from "../bulk-job/index.ts";
import { deleteProvidersOfOrganization } from "../identity-provider/index.ts";
import { findInstance } from "../instance/index.ts";
import { refuseEndOfHome, removeMembershipsOf } from "../membership/index.ts";
import { deleteMessageTextsOfOrganization } from "../message-text/index.ts";
import {
  beginDeletion,
  findOrganization,
  holdOrganizationToDelete,
  isBeingDeleted,
  isLeftToInstance,
  type Organization,
  removeOrganization,
} from "../organization/index.ts";
import { findProject } from "../project/index.ts";
import { deleteScriptsOfOrganization } from "../script/index.ts";
import { deleteLinksOfOrganization } from "../setup-link/index.ts";
import { deleteStatisticsOfOrganization } from "../statistics/index.ts";
import { discardGroupsOfOrganization } from "./delete-group.ts";
import { discardTiesOfProvider } from "./delete-identity-provider.ts";
import { discardUsersOfOrganization } from "./delete-user.ts";
import { discardProjectsOfOrganization } from "./discard-projects-of-organization.ts";
import { removeSettingsOfOrganization } from "./remove-settings-of-organization.ts";

/**
 * Deletes an organization with everything in it. The default organization cannot be deleted, nor the one with the
 * built-in project, nor one that holds the only owners of the instance. One in which administrators of the instance are
 * at home is deleted only by administrators with at least their permissions. One that an administrator of the instance
 * deactivated is deleted by the instance alone. Deleting an absent one succeeds, and no time is returned.
 *
 * It is first marked and deactivated, in a unit that holds nothing else: those who are changing something in it find it
 * absent from then on. Then it is deleted, a large one in batches; `finishDeletions` continues after a crash. Where the
 * log has very many events of its users, the job erases them.
 */
export async function deleteOrganization(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly organizationId: string },
): Promise<{ readonly deletedAt?: number }> {
  return deps.database.change(call, async (tx) => {
    const { organizationId } = input;
    // Callers without the permission keep no others waiting.
    const mayHold = requireCaller(call).access.allows("org.delete", { organizationId });
    const organization = mayHold
      ? await holdOrganizationToDelete(tx, organizationId)
      : await findOrganization(tx, tx.instanceId, organizationId);
    const wanted = { permission: "org.delete", readPermission: "org.read", absent: "organization.not_found" };
    if (!authorizeDeletion(call, organization, wanted)) return {};
    await performBefore(tx, {
      isLeft: async (own) => !(await isBeingDeleted(own, organizationId)),
      perform: (own) => markForDeletion(own, organizationId),
    });
    await discardOrganization(tx, organization);
    return { deletedAt: tx.now };
  });
}

// The checks are made in the unit that sets the mark: between two units other changes could make the rest of the
// deletion fail.
async function markForDeletion(tx: Tx, organizationId: string): Promise<void> {
  const organization = await holdOrganizationToDelete(tx, organizationId);
  if (organization === undefined || (await isBeingDeleted(tx, organizationId))) return;
  await refuseDeletion(tx, organizationId);
  await beginDeletion(tx, organizationId);
  // Its users no longer sign in, the caller among them.
  const { caller } = tx.call;
  if (caller?.organizationId === organizationId) noteEnded(tx, { userIds: [caller.userId] });
}

/**
 * Step: deletes a locked organization with everything in it, its administrators first: they create nothing in it while
 * the rest is deleted. Then projects before the groups and users who have roles in them, as role assignments lock them.
 */
export async function discardOrganization(tx: Tx, organization: Organization): Promise<void> {
  const { organizationId } = organization;
  await removeMembershipsOf(tx, { level: "organization", resourceId: organizationId, ownerId: organizationId });
  await discardProjectsOfOrganization(tx, organizationId);
  await discardGroupsOfOrganization(tx, organizationId);
  await discardUsersOfOrganization(tx, organizationId);
  await deleteJobsOfOrganization(tx, organizationId);
  await deleteLinksOfOrganization(tx, organizationId);
  await deleteScriptsOfOrganization(tx, organizationId);
  await deleteMessageTextsOfOrganization(tx, organizationId);
  for (const id of await deleteProvidersOfOrganization(tx, organizationId)) await discardTiesOfProvider(tx, id);
  await removeSettingsOfOrganization(tx, organizationId);
  await deleteAssetsOfOrganization(tx, organizationId);
  await deleteStatisticsOfOrganization(tx, organizationId);
  await removeOrganization(tx, organization);
}

async function refuseDeletion(tx: Tx, organizationId: string): Promise<void> {
  if (await isLeftToInstance(tx, organizationId)) {
    throw new Fault("permission_denied", "permission.missing", { values: { permission: "org.delete" } });
  }
  await refuseIndispensable(tx, organizationId);
  await refuseEndOfHome(tx, organizationId);
}

async function refuseIndispensable(tx: Tx, organizationId: string): Promise<void> {
  const instance = await findInstance(tx, tx.instanceId);
  const systemProject = instance && (await findProject(tx, tx.instanceId, instance.systemProjectId));
  if (instance?.defaultOrganizationId === organizationId || systemProject?.organizationId === organizationId) {
    throw new Fault("failed_precondition", "organization.is_default", { field: "organizationId" });
  }
}
