import { Fault } from "../../base/fault.ts";
import type { Caller } from "../../call/index.ts";

/** Returns the error that a caller gets: for a permission that only their sign-in keeps from them, what is missing. */
export function explainWithheld(withheld: Caller["withheld"], error: unknown): unknown {
  if (withheld === undefined || !(error instanceof Fault) || error.id !== "permission.missing") return error;
  const { permission } = error.values;
  const isHeld = withheld.access.positions.some(({ permissions }) => permissions.has(String(permission)));
  return isHeld ? new Fault("permission_denied", withheld.slug, { cause: error }) : error;
}
