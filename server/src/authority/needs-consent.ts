import type { Reader } from "../database/index.ts";
import { findUserScope } from "../domain/user/index.ts";
import type { AuthorityContext } from "./context.ts";
import { type ClientOfUser, isForeign } from "./is-foreign.ts";
import { findResources } from "./resources.ts";
import { readScopes } from "./scope.ts";
import { askerOf, asksForApis, findOtherProjects } from "./targets.ts";

/**
 * Whether the user has to consent before the client gets the scope and the resources. Some clients need consent for
 * anything. Others need consent for our own APIs, unless an administrator of the instance trusts them, and for projects
 * (and resources of projects) that neither belong to their organization nor were granted to it for its own users. In
 * the strict profile they also need it to act while the user is away (`offline_access`), if the application is neither
 * trusted nor of the user's organization.
 */
export async function needsConsent(
  context: AuthorityContext,
  of: ClientOfUser,
  request: { readonly scope: string; readonly resources?: readonly string[] },
): Promise<boolean> {
  if (await needsConsentForAnything(context, of)) return true;
  const { reader, instance, aliases } = context;
  const { client } = of;
  const scope = readScopes(request.scope, aliases);
  if (!client.isTrustedForApi && asksForApis({ scope, resources: request.resources ?? [] }, instance)) return true;
  if (await isOfflineForStranger(reader, instance.instanceId, of, scope)) return true;
  const projects = await findOtherProjects(context, of, scope);
  if (projects.some(({ isShared }) => !isShared)) return true;
  const resources = await findResources(reader, askerOf(context, of), request.resources ?? [], instance);
  return resources.some(({ isShared }) => !isShared);
}

/**
 * Whether the user has to consent to anything that the client gets: no administrator vouches for the client, or only
 * administrators of other organizations do.
 */
export async function needsConsentForAnything(context: AuthorityContext, of: ClientOfUser): Promise<boolean> {
  return of.client.isConsentRequired || (await isForeign(context, of));
}

async function isOfflineForStranger(
  reader: Reader,
  instanceId: string,
  { client, userId }: ClientOfUser,
  scope: ReadonlySet<string>,
): Promise<boolean> {
  if (client.isOfflineConsentRequired !== true || client.isTrustedForApi || !scope.has("offline_access")) return false;
  return (await findUserScope(reader, instanceId, userId))?.organizationId !== client.organizationId;
}
