import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { holdProjectGrant, type ProjectGrant } from "../project/index.ts";
import { type Authorization, authorizationAbsence } from "./authorization.ts";

/** Step: returns the grant of an assignment, locked; undefined where the organization owns the project. */
export async function holdGrantOf(
  tx: Tx,
  { projectGrantId }: Pick<Authorization, "projectGrantId">,
): Promise<ProjectGrant | undefined> {
  if (projectGrantId === undefined) return undefined;
  const grant = await holdProjectGrant(tx, projectGrantId);
  if (grant === undefined) throw new Fault("not_found", authorizationAbsence.absent);
  return grant;
}
