import type { Instant } from "../base/clock.ts";
import type { Client } from "../domain/application/index.ts";
import type { AuthorityContext } from "./context.ts";
import type { AccessTokenTarget } from "./decide-authority.ts";
import { permittedResources } from "./permitted-resources.ts";
import { isOwnResource, resourcesOf } from "./resource.ts";
import { resourceAt, targetOf, unknownResource } from "./resources.ts";
import { formatScope } from "./scope.ts";

/**
 * Returns the access token of a token exchange (RFC 8693), or of a refresh of what one gave: of the audience, which the
 * exchange chose, every resource must be one that the client may have for the user now. The others are left out, or
 * `invalid_target` when they are `named` or nothing is left; and so are scopes that only those know.
 */
export async function exchangedTarget(
  context: AuthorityContext,
  { client, userId }: { readonly client: Client; readonly userId: string },
  exchange: {
    readonly scope: Iterable<string>;
    readonly audience: readonly string[];
    readonly named: readonly string[];
    readonly format: "opaque" | "jwt";
    /** A resource that was registered later is not the one that was exchanged. */
    readonly since: Instant;
  },
): Promise<AccessTokenTarget> {
  const { audience, named, since } = exchange;
  const { instance } = context;
  const resources = resourcesOf(audience, client.clientId).filter((name) => !isOwnResource(name, instance.issuer));
  const others = audience.filter((name) => !resources.includes(name));
  const { found, permits } = await permittedResources(context, { client, userId }, { uris: resources, since });
  const wanted = named.length > 0 ? named : resources;
  const left = wanted.filter((uri) => {
    const resource = resourceAt(uri, found);
    return resource !== undefined && permits(resource);
  });
  if (left.length === 0 && others.length === 0) throw unknownResource();
  const target = targetOf({ found, permits, mayCallApis: false }, left, { named, issuer: instance.issuer });
  return {
    scope: formatScope([...exchange.scope].filter(target.mayHave)),
    audience: [...others, ...target.uris],
    format: target.format ?? exchange.format,
    ...(target.lifetime !== undefined && { longest: target.lifetime }),
  };
}
