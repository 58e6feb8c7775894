import { holdOrWaitBefore, type Tx } from "../../database/index.ts";
import { type AdministratorScope, type Appointee, holdAppointee } from "../administrator-access/index.ts";
import { findUserScope } from "../user/index.ts";

/**
 * Step: returns the user who is given a position, locked until the unit of work ends. Partners to whom a project is
 * lent decide how long a user of theirs is busy, and must not keep the project from its owner meanwhile.
 */
export function holdGiven(
  tx: Tx,
  { level }: Pick<AdministratorScope, "level">,
  userId: string,
): Promise<Appointee | undefined> {
  if (level !== "project_grant") return holdAppointee(tx, userId);
  return holdOrWaitBefore(tx, {
    isThere: async () => (await findUserScope(tx, tx.instanceId, userId)) !== undefined,
    hold: (own, waiting) => holdAppointee(own, userId, waiting),
  });
}
