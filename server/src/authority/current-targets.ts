import type { Instant } from "../base/clock.ts";
import { type Client, findProjectsOfClients } from "../domain/application/index.ts";
import { listAudienceProjects } from "../domain/project/index.ts";
import type { ActiveToken, TokenFamily } from "../domain/token/index.ts";
import type { AuthorityContext } from "./context.ts";
import { decideAuthority } from "./decide-authority.ts";
import { permittedResources } from "./permitted-resources.ts";
import { isOwnResource, resourcesOf } from "./resource.ts";
import { findResources, isScopeOf, type Permits, registeredBy, resourceAt } from "./resources.ts";
import { formatScope, isResourceScope, parseScope } from "./scope.ts";
import { askerOf } from "./targets.ts";

/** What a family has now of the projects and resources that it was given. */
interface Reach {
  hasProject(projectId: string): boolean;
  hasResource(uri: string): boolean;
  /** Whether a scope of resources is left. */
  hasScope(scope: string): boolean;
}

interface Targets {
  readonly projectIds: readonly string[];
  readonly resources: readonly string[];
}

/**
 * Returns a token without what has left its audience since it was issued: projects of others, and resources with their
 * scopes, whose owners granted them no longer, or that are gone. Exchanged tokens keep them only while the tokens they
 * were exchanged from do. Tokens for their own project alone need no lookup.
 */
export async function withCurrentTargets<Token extends ActiveToken>(
  context: AuthorityContext,
  token: Token,
  above: readonly TokenFamily[],
): Promise<Token> {
  const { family, audience } = token;
  const targets = await findTargets(context, token);
  const { projectIds, resources } = targets;
  if (projectIds.length + resources.length === 0) return token;
  const own = await reachOf(context, token, { family, scope: token.scope, since: token.createdAt }, targets);
  const others: { readonly family: TokenFamily; readonly reach: Reach }[] = [];
  for (const one of above.filter(({ userId }) => userId === family.userId)) {
    const asked = { family: one, scope: one.scope, since: one.createdAt };
    others.push({ family: one, reach: await reachOf(context, token, asked, targets) });
  }
  const isFounded = (name: string): boolean =>
    own.hasProject(name) ||
    others.some(({ family: { projectId }, reach }) => projectId === name || reach.hasProject(name));
  // An exchange may choose among resources, so the families above must have the resources they were issued for, and no
  // others.
  const sharing = (uri: string): Reach[] => [
    own,
    ...others.filter(({ family: { audience: names } }) => names.includes(uri)).map(({ reach }) => reach),
  ];
  const left = new Set(resources.filter((uri) => sharing(uri).every((reach) => reach.hasResource(uri))));
  const [asked, foreign] = [new Set(resources), new Set(projectIds)];
  const isKept = (name: string): boolean => (asked.has(name) ? left.has(name) : !foreign.has(name) || isFounded(name));
  const isScopeKept = (scope: string): boolean => !isResourceScope(scope) || own.hasScope(scope);
  return {
    ...token,
    audience: audience.filter(isKept),
    scope: formatScope([...parseScope(token.scope)].filter(isScopeKept)),
  };
}

/**
 * Whether a token names only its client, the client's project with its applications, and our own APIs: then there are
 * no targets that it could have lost. `client` is the client of its family; undefined for a service account.
 */
export function isForOwnProject(
  { family, audience }: Pick<ActiveToken, "family" | "audience">,
  client: Pick<Client, "siblingClientIds"> | undefined,
  systemProjectId: string,
): boolean {
  const { clientId, projectId } = family;
  return (
    resourcesOf(audience, clientId).length === 0 &&
    audience.every(
      (name) =>
        name === clientId ||
        name === projectId ||
        name === systemProjectId ||
        client?.siblingClientIds.includes(name) === true,
    )
  );
}

/** Returns whom a token names besides its own client and project, and our own APIs. */
async function findTargets(
  { reader, clients, instance }: AuthorityContext,
  { family, audience }: Pick<ActiveToken, "family" | "audience">,
): Promise<Targets> {
  const addresses = resourcesOf(audience, family.clientId);
  const own = new Set([family.clientId, family.projectId, instance.systemProjectId, ...addresses]);
  const others = audience.filter((name) => !own.has(name));
  // A service account is not a client. Tokens that name no other targets, such as those for our own APIs, need no
  // lookup.
  const isAsked = others.length > 0 && family.applicationId !== undefined;
  const siblings = isAsked ? (await clients.find(instance.instanceId, family.clientId))?.siblingClientIds : undefined;
  const known = new Set(siblings);
  const asked = others.filter((name) => !known.has(name));
  // A client stands for its project. The names may be more than any cache has: of a project that was large.
  const projectOf = await findProjectsOfClients(reader, instance.instanceId, asked);
  const projectIds = asked.filter((name) => (projectOf.get(name) ?? name) !== family.projectId);
  return { projectIds, resources: addresses.filter((uri) => !isOwnResource(uri, instance.issuer)) };
}

/** A family, with the scope of the token in question, or its own. */
interface Asked {
  readonly family: TokenFamily;
  readonly scope: string;
  readonly since: Instant;
}

async function reachOf(
  context: AuthorityContext,
  { organizationId = "" }: Pick<ActiveToken, "organizationId">,
  { family, scope, since }: Asked,
  targets: Targets,
): Promise<Reach> {
  const { reader, instance, clients } = context;
  const { userId = "", applicationId, exchangedFormat } = family;
  if (applicationId === undefined) {
    const found = await findResources(reader, { organizationId }, targets.resources, instance);
    const permits: Permits = ({ isShared }) => isShared;
    const hasProject = (projectId: string): boolean => family.audience.includes(projectId);
    return { hasProject, ...reachOfResources({ found: registeredBy(found, since), permits }) };
  }
  const client = await clients.find(instance.instanceId, family.clientId);
  if (client === undefined) return { hasProject: () => false, hasResource: () => false, hasScope: () => false };
  const of = { client, userId };
  const resources = reachOfResources(await permittedResources(context, of, { uris: targets.resources, since }));
  const projectIds =
    exchangedFormat === undefined
      ? (await decideAuthority(context, of, { scope, resources: [] })).audience
      : await listShared(context, of, targets.projectIds);
  return { hasProject: (projectId) => projectIds.includes(projectId), ...resources };
}

function reachOfResources({
  found,
  permits,
}: Awaited<ReturnType<typeof permittedResources>>): Omit<Reach, "hasProject"> {
  const left = found.filter((resource) => permits(resource));
  return {
    hasResource: (uri) => resourceAt(uri, left) !== undefined,
    hasScope: (scope) => {
      const knowing = left.filter((resource) => isScopeOf(resource, scope));
      return knowing.length > 0 && knowing.every((resource) => permits(resource, scope));
    },
  };
}

async function listShared(
  context: AuthorityContext,
  of: Parameters<typeof askerOf>[1],
  projectIds: readonly string[],
): Promise<string[]> {
  if (projectIds.length === 0) return [];
  const { reader, instance } = context;
  const known = await listAudienceProjects(reader, instance.instanceId, { ...askerOf(context, of), projectIds });
  return known.filter(({ isShared }) => isShared).map(({ projectId }) => projectId);
}
