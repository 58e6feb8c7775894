import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { type Database, performAll, type Tx } from "../../database/index.ts";
import { listApplicationsOfProject } from "../application/index.ts";
import { removeAuthorizations } from "../authorization/index.ts";
import { findInstance } from "../instance/index.ts";
import { removeMembershipsOf } from "../membership/index.ts";
import {
  holdProject,
  holdProjectToDelete,
  listGrantsOfProject,
  type Project,
  removeProject,
} from "../project/index.ts";
import { forgetRegistrationProject } from "../registration/index.ts";
import { removeResourcesOfProject } from "../resource/index.ts";
import { discardApplication } from "./delete-application.ts";
import { discardProjectGrant } from "./delete-project-grant.ts";
import { refuseLeftToInstance } from "./refuse-left-to-instance.ts";

/**
 * Deletes a project with everything in it. The built-in project of the instance cannot be deleted. Deleting an absent
 * one succeeds, and no time is returned.
 */
export async function deleteProject(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly projectId: string },
): Promise<{ readonly deletedAt?: number }> {
  return deps.database.change(call, async (tx) => {
    const project = await holdProjectToDelete(tx, input.projectId);
    if (project === undefined) return {};
    await refuseLeftToInstance(tx, project.organizationId, "project.delete");
    const instance = await findInstance(tx, tx.instanceId);
    if (instance?.systemProjectId === project.projectId) throw new Fault("failed_precondition", "project.is_system");
    await discardProject(tx, project);
    return { deletedAt: tx.now };
  });
}

// Applications and grants: each may have a batch of many things.
const partsAtOnce = 10;

/**
 * Step: deletes an exclusively locked project with its applications, resources, grants, role assignments,
 * administrators and roles.
 */
export async function discardProject(tx: Tx, project: Project): Promise<void> {
  const { projectId, organizationId } = project;
  // The project is held again where a batch is a unit of its own.
  await performAll(tx, {
    list: async (own, limit) => {
      await holdProject(own, projectId, "alone");
      return listApplicationsOfProject(own, own.instanceId, projectId, limit);
    },
    perform: async (own, applications) => {
      for (const application of applications) await discardApplication(own, application);
    },
    isOfCaller: ({ clientId }) => clientId === tx.call.caller?.clientId,
    size: partsAtOnce,
  });
  await performAll(tx, {
    list: async (own, limit) => {
      await holdProject(own, projectId, "alone");
      return listGrantsOfProject(own, projectId, limit);
    },
    perform: async (own, grants) => {
      for (const grant of grants) await discardProjectGrant(own, grant);
    },
    // It may be what lets an application of the project act for them.
    isOfCaller: ({ grantedOrganizationId }) => grantedOrganizationId === tx.call.caller?.organizationId,
    size: partsAtOnce,
  });
  await removeResourcesOfProject(tx, projectId);
  await removeAuthorizations(tx, { projectId });
  await removeMembershipsOf(tx, { level: "project", resourceId: projectId, ownerId: organizationId });
  await forgetRegistrationProject(tx, projectId);
  await removeProject(tx, project);
}
