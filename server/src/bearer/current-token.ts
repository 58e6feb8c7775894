import {
  type AuthorityDeps,
  authorityContext,
  isStillLetIn,
  permissionsOfToken,
  withCurrentTargets,
} from "../authority/index.ts";
import type { Call } from "../call/index.ts";
import { type ActiveToken, listFamiliesAbove } from "../domain/token/index.ts";
import type { VerifiedToken } from "./verified-token.ts";

/**
 * Returns an access token as it holds now, whatever it was issued with. Undefined when its client is not let in any more;
 * without our own APIs, projects and resources that it has lost: what is given does not outlive those who gave it.
 */
export async function currentToken(
  deps: AuthorityDeps,
  call: Call,
  token: ActiveToken,
): Promise<VerifiedToken | undefined> {
  const { family, organizationId } = token;
  const context = await authorityContext(deps, call);
  const above =
    family.applicationId === undefined || family.exchangedFormat === undefined
      ? []
      : await listFamiliesAbove(deps.database.read, call.instanceId, family.familyId);
  const isLetIn =
    family.applicationId === undefined || (await isStillLetIn(context, { family, above, organizationId }));
  if (!isLetIn) return undefined;
  return withCurrentTargets(context, await withAuthority(deps, call, token), above);
}

async function withAuthority(deps: AuthorityDeps, { instanceId }: Call, token: ActiveToken): Promise<VerifiedToken> {
  const systemProjectId = await deps.systemProjectIdOf(instanceId);
  if (!token.audience.includes(systemProjectId)) return { ...token, authority: undefined };
  const authority = await permissionsOfToken(deps, instanceId, token);
  if (authority !== undefined) return { ...token, authority };
  return { ...token, authority, audience: token.audience.filter((name) => name !== systemProjectId) };
}
