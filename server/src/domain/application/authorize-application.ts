import { Fault } from "../../base/fault.ts";
import { authorize, authorizeDeletion, holdForCaller } from "../../call/index.ts";
import type { Reader, Tx } from "../../database/index.ts";
import { findApplication, holdApplication } from "./application.store.ts";
import { type Application, applicationAbsence } from "./application.ts";
import { isBuiltIn } from "./built-in-application.store.ts";

/** Names an application as every method of the contract does. Under another project's id it does not exist. */
export interface ApplicationReference {
  readonly applicationId: string;
  readonly projectId?: string;
}

/** Returns the application, locked, for a caller who may change it. One that comes with the instance stays as it is. */
export async function authorizeApplication(tx: Tx, reference: ApplicationReference): Promise<Application> {
  const permission = "project.app.write";
  const application = await holdForCaller(tx.call, permission, holdable(tx, reference), (found) => {
    authorize(tx.call, found, { permission, ...applicationAbsence });
    return found;
  });
  await refuseBuiltIn(tx, tx.instanceId, application);
  return application;
}

/** Returns the application, locked, for a caller who may delete it; undefined when there is nothing to delete. */
export async function findApplicationToDelete(
  tx: Tx,
  reference: ApplicationReference,
): Promise<Application | undefined> {
  const permission = "project.app.delete";
  const application = await holdForCaller(tx.call, permission, holdable(tx, reference), (found) => {
    // A caller who may delete a project may delete each of its parts. The built-in owners of organizations have only
    // that permission.
    const canDeleteProject = found !== undefined && tx.call.caller?.access.allows("project.delete", found) === true;
    const wanted = { permission, ...applicationAbsence, isOwn: canDeleteProject };
    return authorizeDeletion(tx.call, found, wanted) ? found : undefined;
  });
  if (application !== undefined) await refuseBuiltIn(tx, tx.instanceId, application);
  return application;
}

/** Refuses an application that comes with the instance. */
export async function refuseBuiltIn(
  reader: Reader,
  instanceId: string,
  { applicationId }: Pick<Application, "applicationId">,
): Promise<void> {
  if (!(await isBuiltIn(reader, instanceId, applicationId))) return;
  throw new Fault("failed_precondition", "application.built_in", { field: "applicationId" });
}

function holdable(tx: Tx, reference: ApplicationReference) {
  const named = (application: Application | undefined): Application | undefined =>
    isNamed(application, reference) ? application : undefined;
  return {
    find: async () => named(await findApplication(tx, tx.instanceId, reference.applicationId)),
    hold: async () => named(await holdApplication(tx, reference.applicationId)),
  };
}

/** Whether this application is the one that the reference names by id and project. */
export function isNamed(application: Application | undefined, { projectId }: ApplicationReference): boolean {
  return projectId === undefined || application?.projectId === projectId;
}
