import { audienceOfScope, parseScope, withoutAlias } from "../../authority/index.ts";
import type { Call } from "../../call/index.ts";
import type { Client } from "../../domain/application/index.ts";
import type { TokenFamily } from "../../domain/token/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { describeUser } from "./describe-user.ts";
import { extendClaims, mayBeExtended } from "./extend-claims.ts";
import { listsForAudience } from "./list-claims.ts";
import { readersOf } from "./readers.ts";

/** The access token with which UserInfo is asked. */
export interface UserinfoToken {
  readonly family: TokenFamily;
  readonly scope: string;
  /** Its present audience. */
  readonly audience: readonly string[];
  /** Everything that was ever in its audience: what may have the token, and read the answer. */
  readonly readBy: readonly string[];
}

/**
 * Returns what UserInfo tells the holder of an access token (OpenID Connect Core §5.3.2); undefined when its user does
 * not exist.
 */
export async function userinfoClaims(
  deps: OAuthDeps,
  call: Call,
  client: Client | undefined,
  { family, scope: granted, audience, readBy }: UserinfoToken,
): Promise<Record<string, unknown> | undefined> {
  const { userId, clientId, actor } = family;
  if (userId === undefined) return undefined;
  const scope = withoutAlias(parseScope(granted), deps.namespaceAliases);
  const systemProjectId = await deps.systemProjectIdOf(call.instanceId);
  const parties = await readersOf(deps, call.instanceId, { client, audience: readBy });
  const { areOfProject, haveForeignResource, organizationIds } = parties;
  const description = await describeUser(deps, {
    instanceId: call.instanceId,
    userId,
    scope: granted,
    withUserClaims: true,
    claimNames: family.claims?.userinfo,
    roles: haveForeignResource
      ? undefined
      : {
          ownProjectId: family.projectId,
          // As a rule the client asks, which knows its roles by the short name.
          hasShortName: areOfProject || organizationIds.size === 1,
          isAssertionOn: client?.isProjectRoleAssertionOn === true,
          audienceProjectIds: audienceOfScope(scope, systemProjectId).filter((id) => audience.includes(id)),
        },
    lists: listsForAudience(client, readBy, systemProjectId),
    organizationIds,
  });
  if (description === undefined) return undefined;
  const readers = client === undefined ? { ofAccount: readBy } : { organizationIds };
  const described = (await mayBeExtended(deps, call, "preuserinfo"))
    ? await extendClaims(deps, call, "preuserinfo", { ...description, clientId, actor, readers })
    : description.claims;
  return { ...described, sub: userId };
}

/**
 * Returns the claims of a signed answer. The client is the only recipient and so the only audience (OpenID Connect Core
 * §5.3.2); its own type of JWT keeps it from being used as an ID token.
 */
export const signedUserinfoClaims = (
  claims: Readonly<Record<string, unknown>>,
  { issuer, client }: { readonly issuer: string; readonly client: Pick<Client, "clientId"> },
): Record<string, unknown> => ({ ...claims, iss: issuer, aud: client.clientId });
