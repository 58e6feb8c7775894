import type { Instant } from "../base/clock.ts";
import { findConsent } from "../domain/consent/index.ts";
import type { AudienceResource } from "../domain/resource/index.ts";
import { wordOf } from "./consent-words.ts";
import type { AuthorityContext } from "./context.ts";
import type { ClientOfUser } from "./is-foreign.ts";
import { needsConsentForAnything } from "./needs-consent.ts";
import { dependsOnUser, findResources, type Permits, permitsOf, registeredBy } from "./resources.ts";
import { askerOf } from "./targets.ts";

/** Resources that are registered and count, and what a client may have of them for a user. */
export interface PermittedResources {
  readonly found: readonly AudienceResource[];
  readonly permits: Permits;
}

/**
 * Returns what a client may have now, for a user, of resources that it was given before. `since`: one that was
 * registered later is another one.
 */
export async function permittedResources(
  context: AuthorityContext,
  of: ClientOfUser,
  { uris, since }: { readonly uris: readonly string[]; readonly since: Instant },
): Promise<PermittedResources> {
  const { reader, instance } = context;
  const { client, userId } = of;
  const found = registeredBy(await findResources(reader, askerOf(context, of), uris, instance), since);
  const key = { userId, clientId: client.clientId };
  const isAsked = found.length > 0 && (await needsConsentForAnything(context, of));
  const consent = dependsOnUser(isAsked, found) ? await findConsent(reader, instance.instanceId, key) : undefined;
  return {
    found,
    permits: permitsOf(isAsked, (resource, scope) => consent?.scopes.includes(wordOf(resource, scope)) === true),
  };
}
