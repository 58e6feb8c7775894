import { Fault } from "../../base/fault.ts";
import { authorize, authorizeDeletion, holdForCaller } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { holdProject, type Project } from "../project/index.ts";
import { findAuthorization, holdAuthorization } from "./authorization.store.ts";
import { type Authorization, assigning, authorizationAbsence, scopeOf } from "./authorization.ts";

/** A role assignment with its project, which is known once the two are locked. */
interface WithProject {
  readonly authorization: Authorization;
  readonly project?: Project;
}

/** Returns a role assignment that the caller may change, with its project; both locked. */
export async function authorizeAuthorization(
  tx: Tx,
  authorizationId: string,
): Promise<{ readonly authorization: Authorization; readonly project: Project }> {
  const { permission } = assigning;
  const held = await holdForCaller(tx.call, permission, holdable(tx, authorizationId), (found) => {
    authorize(tx.call, found && scopeOf(found.authorization), { ...assigning, ...authorizationAbsence });
    return found;
  });
  if (held?.project === undefined) throw new Fault("not_found", authorizationAbsence.absent);
  return { authorization: held.authorization, project: held.project };
}

/** Returns a role assignment, locked, that the caller may delete; undefined when there is none to delete. */
export async function holdAuthorizationToDelete(tx: Tx, authorizationId: string): Promise<Authorization | undefined> {
  const permission = "user.grant.delete";
  const held = await holdForCaller(tx.call, permission, holdable(tx, authorizationId), (found) => {
    const scope = found && scopeOf(found.authorization);
    return authorizeDeletion(tx.call, scope, { permission, ...authorizationAbsence }) ? found : undefined;
  });
  return held?.authorization;
}

const holdable = (tx: Tx, authorizationId: string) => ({
  find: async (): Promise<WithProject | undefined> => {
    const authorization = await findAuthorization(tx, tx.instanceId, authorizationId);
    return authorization && { authorization };
  },
  hold: async (): Promise<WithProject | undefined> => {
    const found = await findAuthorization(tx, tx.instanceId, authorizationId);
    // The project is locked first, as in every operation that changes roles, so that none of them deadlock.
    const project = found && (await holdProject(tx, found.projectId, "share"));
    const authorization = project && (await holdAuthorization(tx, authorizationId));
    return authorization && { authorization, project };
  },
});
