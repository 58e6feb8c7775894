import { OAuthError } from "../base/oauth-error.ts";
import { listAudienceProjectIds } from "../domain/project/index.ts";
import type { ServiceAccount } from "../domain/user/index.ts";
import { audienceOfScope } from "./audience.ts";
import type { AuthorityContext } from "./context.ts";
import type { AccessTokenTarget } from "./decide-authority.ts";
import { isOwnResource } from "./resource.ts";
import { isScopeAtResources, resourcesOfAccount } from "./resources.ts";
import { formatScope, iam, isKnownScope, isResourceScope, parseScope, withoutAlias } from "./scope.ts";

/**
 * Decides scope and audience of the token that a service account gets for itself, by its own credentials. The audience
 * comes only from scopes and resources, with resources from these alone; without any, a token names its own client,
 * which is what a request without scope gets (RFC 6749 §3.3). Projects exist, and resources are registered, in projects
 * of the organization of the account or granted to it: there is no user who could consent to others. Scopes of
 * organizations that the account does not belong to are dropped silently, like unknown ones.
 */
export async function decideForAccount(
  context: AuthorityContext,
  account: ServiceAccount,
  request: {
    readonly scope: string | undefined;
    readonly resources: readonly string[];
    /** Of `seekProjects`, where that was asked before. */
    readonly projects?: Promise<readonly string[]> | undefined;
  },
): Promise<AccessTokenTarget> {
  const { aliases, instance } = context;
  const { systemProjectId, issuer } = instance;
  const resources = await resourcesOfAccount(context, account, request.resources);
  const wanted = [...parseScope(request.scope ?? "")];
  const isForApis = request.resources.some((resource) => isOwnResource(resource, issuer));
  const kept = wanted.filter((token) => {
    if (isResourceScope(token)) return resources.mayHave(token);
    const own = withoutAlias([token], aliases);
    const isThere = request.resources.length === 0 || isScopeAtResources(own, { isForApis, systemProjectId });
    return isThere && isGranted(own, account);
  });
  if (request.scope !== undefined && kept.length === 0) {
    throw new OAuthError("invalid_scope", "no scope of the request is known");
  }
  const projectIds = [...new Set(audienceOfScope(withoutAlias(kept, aliases), systemProjectId))];
  await requireProjects(context, projectIds, request.projects);
  const asked = [...projectIds, ...resources.uris, ...(isForApis ? [systemProjectId] : [])];
  return {
    scope: formatScope(kept),
    audience: asked.length > 0 ? [...new Set(asked)] : [account.userId],
    format: resources.format ?? account.accessTokenFormat,
    ...(resources.lifetime !== undefined && { longest: resources.lifetime }),
  };
}

/**
 * Begins to look for the projects that a scope names, at the same time as for the account. For a scope of a stranger
 * that names many, or that has an error, it does nothing yet.
 */
export function seekProjects(
  { reader, instance, aliases }: AuthorityContext,
  scope: string | undefined,
): Promise<readonly string[]> | undefined {
  const words = (scope ?? "").split(" ");
  if (words.length > mostSoughtWords) return undefined;
  const projectIds = audienceOfScope(withoutAlias(words, aliases), instance.systemProjectId);
  if (projectIds.length === 0) return undefined;
  const projects = listAudienceProjectIds(reader, instance.instanceId, projectIds);
  // The account may be refused before its projects matter.
  projects.catch(() => undefined);
  return projects;
}

const mostSoughtWords = 4;

// Any other text would be an audience of the account's choice, such as the client id of a stranger.
async function requireProjects(
  { reader, instance }: AuthorityContext,
  projectIds: readonly string[],
  sought: Promise<readonly string[]> | undefined,
): Promise<void> {
  if (projectIds.length === 0) return;
  const known = await (sought ?? listAudienceProjectIds(reader, instance.instanceId, projectIds));
  if (!projectIds.every((projectId) => known.includes(projectId))) {
    throw new OAuthError("invalid_scope", "the scope names a project that does not exist");
  }
}

function isGranted(scope: ReadonlySet<string>, account: ServiceAccount): boolean {
  const [token = ""] = scope;
  if (!isKnownScope(token) || token === "offline_access") return false;
  const organization = `${iam}:org:id:`;
  const domain = `${iam}:org:domain:primary:`;
  if (token.startsWith(organization)) return token.slice(organization.length) === account.organizationId;
  if (token.startsWith(domain)) return token.slice(domain.length) === account.primaryDomain;
  return true;
}
