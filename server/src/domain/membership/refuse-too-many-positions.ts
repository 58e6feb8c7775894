import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { type AdministratorScope, holdAppointee } from "../administrator-access/index.ts";
import { countPositions } from "./membership.store.ts";

/** How many positions of a user have effect: all of them are read with each of the user's requests. */
const mostPositions = 1000;

/**
 * Step: refuses to give a user one more position that has effect. Those that exist stay, however many they are. The
 * user is locked, so that two units do not give the last one. One at the instance is always possible.
 */
export async function refuseTooManyPositions(tx: Tx, { level }: AdministratorScope, userId: string): Promise<void> {
  if (level === "instance") return;
  await holdAppointee(tx, userId);
  if ((await countPositions(tx, userId, mostPositions)) < mostPositions) return;
  throw new Fault("resource_exhausted", "membership.too_many", {
    field: "userId",
    values: { maximum: mostPositions },
  });
}
