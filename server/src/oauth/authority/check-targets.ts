import type { Client } from "../../domain/application/index.ts";
import { OAuthError } from "../error.ts";
import { aliasOf, formatScope, parseScope, withoutAlias } from "../scope.ts";
import type { AuthorityContext } from "./context.ts";
import { rightsOfScope, scopeOfRight } from "./rights.ts";
import { asksForApis, findOtherProjects, otherProjectsOf } from "./targets.ts";

const maximumProjects = 20;

/**
 * Checks for whom a client requests tokens, before any user is involved, and returns the scope as it can be granted.
 * Projects must exist (`invalid_scope`). A client that is not trusted with our own APIs and names no right there asks
 * for the smallest one, so that the scope, and with it the consent of the user, says what its tokens can do.
 */
export async function checkTargets(
  { reader, place, aliases }: AuthorityContext,
  client: Client,
  request: { readonly scope: string; readonly resources: readonly string[] },
): Promise<string> {
  const asked = parseScope(request.scope);
  const scope = withoutAlias(asked, aliases);
  const projectIds = otherProjectsOf(client, scope, place);
  if (projectIds.length > maximumProjects) throw new OAuthError("invalid_scope", "the scope names too many projects");
  const known = new Set((await findOtherProjects(reader, client, scope, place)).map(({ projectId }) => projectId));
  if (!projectIds.every((projectId) => known.has(projectId))) {
    throw new OAuthError("invalid_scope", "the scope names a project that does not exist");
  }
  const isComplete =
    client.isTrustedForApi ||
    rightsOfScope(scope).size > 0 ||
    !asksForApis({ scope, resources: request.resources }, place);
  return isComplete ? request.scope : formatScope([...asked, scopeOfRight("me:read", aliasOf(asked, aliases))]);
}
