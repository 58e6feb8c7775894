import {
  type AuthorityDeps,
  authorityContext,
  isForOwnProject,
  isStillLetIn,
  isVouchedForAtHome,
  permissionsOfToken,
  withCurrentTargets,
} from "../authority/index.ts";
import type { Call } from "../call/index.ts";
import type { Client } from "../domain/application/index.ts";
import { type ActiveToken, listFamiliesAbove } from "../domain/token/index.ts";
import type { VerifiedToken } from "./verified-token.ts";

/**
 * Returns an access token as it holds now, whatever it was issued with. Undefined when its client no longer has access.
 * Our own APIs, projects and resources that it has lost are left out: access does not outlive those who granted it.
 * `client` is the client of its family; undefined for a service account.
 */
export async function currentToken(
  deps: AuthorityDeps,
  call: Call,
  token: ActiveToken,
  client: Client | undefined,
): Promise<VerifiedToken | undefined> {
  const { family, organizationId } = token;
  const systemProjectId = await deps.systemProjectIdOf(call.instanceId);
  // Most tokens are of an application of the user's own organization and for its own project. They depend on rows that
  // have been read, so they need no context: introspection and UserInfo come here with every request.
  const isLetIn = client === undefined || isLetInAtHome(token, client);
  if (isLetIn && isForOwnProject(token, client, systemProjectId))
    return withAuthority(deps, call, token, systemProjectId);
  const context = await authorityContext(deps, call);
  const above =
    client === undefined || family.exchangedFormat === undefined
      ? []
      : await listFamiliesAbove(deps.database.read, call.instanceId, family.familyId);
  if (!isLetIn && !(await isStillLetIn(context, { family, above, organizationId }))) return undefined;
  return withCurrentTargets(context, await withAuthority(deps, call, token, systemProjectId), above);
}

// Neither consent nor anything that the token was exchanged from decides about it.
const isLetInAtHome = ({ family, organizationId }: ActiveToken, client: Client): boolean =>
  family.userId !== undefined &&
  family.exchangedFormat === undefined &&
  !client.isConsentRequired &&
  isVouchedForAtHome(client, organizationId);

async function withAuthority(
  deps: AuthorityDeps,
  { instanceId }: Call,
  token: ActiveToken,
  systemProjectId: string,
): Promise<VerifiedToken> {
  const issued = { ...token, issuedAudience: token.audience };
  if (!token.audience.includes(systemProjectId)) return { ...issued, authority: undefined };
  const authority = await permissionsOfToken(deps, instanceId, token);
  if (authority !== undefined) return { ...issued, authority };
  return { ...issued, authority, audience: token.audience.filter((name) => name !== systemProjectId) };
}
