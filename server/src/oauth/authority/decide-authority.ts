import type { Client } from "../../domain/application/index.ts";
import { findConsent } from "../../domain/consent/index.ts";
import { audienceOfScope } from "../audience.ts";
import { isOwnResource } from "../resource.ts";
import { formatScope, parseScope, withoutAlias } from "../scope.ts";
import type { AuthorityContext } from "./context.ts";
import { isRightScope, rightsOfScope } from "./rights.ts";
import { asksForApis, findOtherProjects } from "./targets.ts";

/** What a user's tokens of a client may contain. */
export interface Authority {
  /** The requested scope, in the client's spelling, without what was not granted. */
  readonly scope: string;
  /** Returns the audience for some of the requested resources. */
  audienceFor(resources: readonly string[]): string[];
}

/**
 * Decides scope and audience of a user's tokens, each time that tokens are issued: for a code, in the browser, to a
 * device, by a refresh. Our own APIs are in the audience for a client that an administrator of the instance trusts, and
 * else with the rights that the user consented to. Another project is, when it belongs to the organization of the
 * client, was granted to it, or the user consented. A resource that is not ours (RFC 8707) is a name for the access
 * token and nothing more.
 */
export async function decideAuthority(
  { reader, place, aliases }: AuthorityContext,
  { client, userId }: { readonly client: Client; readonly userId: string },
  request: { readonly scope: string; readonly resources: readonly string[] },
): Promise<Authority> {
  const tokens = [...parseScope(request.scope)];
  const scope = withoutAlias(tokens, aliases);
  const { systemProjectId, issuer, instanceId } = place;
  const projects = await findOtherProjects(reader, client, scope, place);
  const asks = asksForApis({ scope, resources: request.resources }, place);
  const dependsOnConsent = (asks && !client.isTrustedForApi) || projects.some(({ isShared }) => !isShared);
  const consent = dependsOnConsent
    ? await findConsent(reader, instanceId, { userId, clientId: client.clientId })
    : undefined;
  const consented = withoutAlias(consent?.scopes ?? [], aliases);
  const isGranted = (right: string): boolean => client.isTrustedForApi || consented.has(right);
  const hasRight = rightsOfScope(new Set([...scope].filter((one) => isRightScope(one) && isGranted(one)))).size > 0;
  const mayCallApis = asks && (client.isTrustedForApi || hasRight);
  const allowed = new Set([
    client.projectId,
    ...projects.filter(({ isShared }) => isShared).map(({ projectId }) => projectId),
    ...projects.map(({ projectId }) => projectId).filter((id) => hasConsentFor(consented, id)),
  ]);
  allowed.delete(systemProjectId);
  if (mayCallApis) allowed.add(systemProjectId);
  const kept = tokens.filter((token) => {
    const own = withoutAlias([token], aliases);
    if ([...own].some(isRightScope)) return [...own].every(isGranted);
    return audienceOfScope(own, systemProjectId).every((projectId) => allowed.has(projectId));
  });
  const keptScope = withoutAlias(kept, aliases);
  return {
    scope: formatScope(kept),
    audienceFor: (resources) => {
      const isForApis = mayCallApis && asksForApis({ scope: keptScope, resources }, place);
      const ofProject = resources.length > 0 ? [] : client.audience;
      return [
        ...new Set([
          client.clientId,
          // A client in the built-in project is not trusted for being there.
          ...ofProject.filter((name) => name !== systemProjectId || client.isTrustedForApi),
          ...audienceOfScope(keptScope, systemProjectId),
          ...resources.filter((resource) => mayCallApis || !isOwnResource(resource, issuer)),
          ...(isForApis ? [systemProjectId] : []),
        ]),
      ];
    },
  };
}

const hasConsentFor = (consented: ReadonlySet<string>, projectId: string): boolean =>
  audienceOfScope(consented, "").includes(projectId);
