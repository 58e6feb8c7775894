import { Fault } from "../../base/fault.ts";
import { authorize } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { holdProject, type Project } from "../project/index.ts";
import { findAuthorization, holdAuthorization } from "./authorization.store.ts";
import { type Authorization, assigning, authorizationAbsence, scopeOf } from "./authorization.ts";

/** Returns a role assignment that the caller may change, with its project; both locked. */
export async function authorizeAuthorization(
  tx: Tx,
  authorizationId: string,
): Promise<{ readonly authorization: Authorization; readonly project: Project }> {
  const found = await findAuthorization(tx, tx.instanceId, authorizationId);
  // The project is locked first, as in every operation that changes roles, so that none of them deadlock.
  const project = found && (await holdProject(tx, found.projectId, "share"));
  const authorization = project && (await holdAuthorization(tx, authorizationId));
  authorize(tx.call, authorization && scopeOf(authorization), {
    ...assigning,
    ...authorizationAbsence,
  });
  if (authorization === undefined || project === undefined) throw new Fault("not_found", authorizationAbsence.absent);
  return { authorization, project };
}
