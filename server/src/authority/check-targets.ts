import { OAuthError } from "../base/oauth-error.ts";
import type { Client } from "../domain/application/index.ts";
import type { AudienceResource } from "../domain/resource/index.ts";
import type { AuthorityContext } from "./context.ts";
import { findResources, othersOf, resourceAt, unknownResource } from "./resources.ts";
import { rightsOfScope, scopeOfRight } from "./rights.ts";
import { aliasOf, formatScope, isResourceScope, parseScope, withoutAlias } from "./scope.ts";
import { asksForApis, findOtherProjects, otherProjectsOf } from "./targets.ts";

const maximumProjects = 20;

/** For whom tokens are requested, as it can be granted. */
export interface CheckedTargets {
  readonly scope: string;
  /** Registered ones as their owners wrote them. */
  readonly resources: readonly string[];
}

/**
 * Checks for whom a client requests tokens, before any user is involved, and returns scope and resources as they can be
 * granted. Projects must exist (`invalid_scope`), and resources be registered (`invalid_target`). A scope that is known
 * nowhere but at resources is kept when one of the named resources knows it. A request for resources without a scope
 * gets all of theirs, or `openid` (RFC 6749 §3.3: a default). A client that is not trusted with our own APIs and names
 * no right there asks for the smallest one, so that the scope, and with it the consent of the user, says what its
 * tokens can do.
 */
export async function checkTargets(
  context: AuthorityContext,
  client: Client,
  request: { readonly scope: string; readonly resources: readonly string[] },
): Promise<CheckedTargets> {
  const { reader, instance, aliases } = context;
  const registered = await findResources(
    reader,
    { organizationId: client.organizationId },
    request.resources,
    instance,
  );
  if (othersOf(request.resources, instance).some((uri) => resourceAt(uri, registered) === undefined)) {
    throw unknownResource();
  }
  const resources = [...new Set(request.resources.map((uri) => resourceAt(uri, registered)?.uri ?? uri))];
  const asked = scopeFor(request, registered);
  const scope = withoutAlias(asked, aliases);
  const projectIds = otherProjectsOf(client, scope, instance);
  if (projectIds.length > maximumProjects) throw new OAuthError("invalid_scope", "the scope names too many projects");
  const known = new Set((await findOtherProjects(context, { client }, scope)).map(({ projectId }) => projectId));
  if (!projectIds.every((projectId) => known.has(projectId))) {
    throw new OAuthError("invalid_scope", "the scope names a project that does not exist");
  }
  const isComplete =
    client.isTrustedForApi || rightsOfScope(scope).size > 0 || !asksForApis({ scope, resources }, instance);
  const complete = isComplete ? asked : [...asked, scopeOfRight("me:read", aliasOf(asked, aliases))];
  return { scope: formatScope(complete), resources };
}

function scopeFor(
  { scope, resources }: { readonly scope: string; readonly resources: readonly string[] },
  registered: readonly AudienceResource[],
): ReadonlySet<string> {
  const asked = parseScope(scope);
  if (resources.length === 0) return asked;
  const names = registered.flatMap(({ scopes }) => scopes.map(({ name }) => name));
  if (asked.size === 0) return new Set(names.length === 0 ? ["openid"] : names);
  const kept = [...asked].filter((token) => !isResourceScope(token) || names.includes(token));
  if (kept.length === 0) throw new OAuthError("invalid_scope", "no scope of the request is known");
  return new Set(kept);
}
