import type { Call } from "../call/index.ts";
import { type ActiveToken, listFamiliesAbove } from "../domain/token/index.ts";
import { type TokenAuthorityDeps, withoutLostAuthority } from "./authority-of-token.ts";
import { type AuthorityDeps, authorityContext } from "./context.ts";
import { withCurrentTargets } from "./current-targets.ts";
import { isStillLetIn } from "./is-still-let-in.ts";

export type CurrentTokenDeps = AuthorityDeps & TokenAuthorityDeps;

/**
 * Returns an access token as it holds now, whatever it was issued with. Undefined when its client was deactivated, or
 * is not let in any more; without our own APIs, projects and resources that it has lost. Introspection, UserInfo and
 * exchange read tokens in this way, so what is given does not outlive those who gave it.
 */
export async function currentToken(
  deps: CurrentTokenDeps,
  call: Call,
  token: ActiveToken,
): Promise<ActiveToken | undefined> {
  const { instanceId } = call;
  const { family, organizationId } = token;
  const context = await authorityContext(deps, call);
  if (family.applicationId === undefined) return withCurrentTargets(context, token, []);
  const client = await deps.clients.find(instanceId, family.clientId);
  if (client?.isActive !== true) return undefined;
  const above =
    family.exchangedFormat === undefined
      ? []
      : await listFamiliesAbove(deps.database.read, instanceId, family.familyId);
  if (!(await isStillLetIn(context, { family, above, organizationId }))) return undefined;
  return withCurrentTargets(context, await withoutLostAuthority(deps, instanceId, token), above);
}
