import type { Tx } from "../../database/index.ts";
import type { AdministratorScope, Membership } from "../administrator-access/index.ts";
import { followGain, type GainDeps } from "./gain.ts";
import { replaceRoles } from "./given-role.store.ts";
import type { MemberRoles } from "./membership-row.ts";
import { refuseTooManyPositions } from "./refuse-too-many-positions.ts";

/**
 * Step: replaces the roles of an administrator, who is held with them, and follows what they gain. `isAccepted`: by the
 * user's own acceptance. The caller has authorized it, and records it. Undefined when the administrator is gone.
 */
export async function changeRoles(
  tx: Tx,
  deps: GainDeps,
  scope: AdministratorScope,
  { held, ...member }: MemberRoles & { readonly held: Pick<Membership, "roles">; readonly isAccepted?: boolean },
): Promise<Membership | undefined> {
  if (held.roles.length === 0 && member.roles.length > 0) await refuseTooManyPositions(tx, scope, member.userId);
  const changed = await replaceRoles(tx, scope, member);
  const gains = !new Set(member.roles).isSubsetOf(new Set(held.roles));
  if (changed !== undefined && gains) await followGain(tx, deps, member.userId);
  return changed;
}
