import type { Client } from "../../domain/application/index.ts";
import { readScopes } from "../scope.ts";
import type { AuthorityContext } from "./context.ts";
import { asksForApis, findOtherProjects } from "./targets.ts";

/**
 * Whether the user has to consent before the client gets the scope and the resources. So it is for clients that no
 * administrator vouches for. Others need consent for our own APIs, unless an administrator of the instance trusts them,
 * and for projects that are neither of their organization nor granted to it.
 */
export async function needsConsent(
  { reader, place, aliases }: AuthorityContext,
  client: Client,
  request: { readonly scope: string; readonly resources?: readonly string[] },
): Promise<boolean> {
  if (client.isConsentRequired) return true;
  const scope = readScopes(request.scope, aliases);
  if (!client.isTrustedForApi && asksForApis({ scope, resources: request.resources ?? [] }, place)) return true;
  return (await findOtherProjects(reader, client, scope, place)).some(({ isShared }) => !isShared);
}
