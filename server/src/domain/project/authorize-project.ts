import { authorize, authorizeDeletion, holdForCaller } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { findProject, holdProject } from "./project.store.ts";
import { type Project, projectAbsence } from "./project.ts";

/** Returns the project, locked exclusively, for a caller with the permission there. */
export function holdAuthorizedProject(tx: Tx, projectId: string, permission: string): Promise<Project> {
  return holdForCaller(tx.call, permission, holdable(tx, projectId), (project) => {
    authorize(tx.call, project, { permission, ...projectAbsence });
    return project;
  });
}

/** Returns the project, locked exclusively, for a caller who may delete it; undefined when there is none to delete. */
export function holdProjectToDelete(tx: Tx, projectId: string): Promise<Project | undefined> {
  const permission = "project.delete";
  return holdForCaller(tx.call, permission, holdable(tx, projectId), (project) =>
    authorizeDeletion(tx.call, project, { permission, ...projectAbsence }) ? project : undefined,
  );
}

const holdable = (tx: Tx, projectId: string) => ({
  find: () => findProject(tx, tx.instanceId, projectId),
  hold: () => holdProject(tx, projectId, "alone"),
});
