import type { Instant } from "../base/clock.ts";
import type { Client } from "../domain/application/index.ts";
import type { TokenFamily } from "../domain/token/index.ts";
import type { AuthorityContext } from "./context.ts";
import { type AccessTokenTarget, decideAuthority } from "./decide-authority.ts";
import { exchangedTarget } from "./exchanged-target.ts";
import { parseScope } from "./scope.ts";

export interface RefreshOfFamily {
  readonly client: Client;
  readonly family: TokenFamily;
  /** What is asked of the scope of the family. */
  readonly scope: string;
  /** Resources of the family. */
  readonly granted: readonly string[];
  /** Those of this request. */
  readonly named: readonly string[];
}

/**
 * Returns the access token of a refresh. Of other projects only those in this exact scope: a client that omits one
 * does not want a token for it. A token exchange chose its audience, and the end of its family is the earliest end of
 * what it depends on.
 */
export async function refreshedTarget(
  context: AuthorityContext,
  { client, family, scope, granted, named }: RefreshOfFamily,
): Promise<AccessTokenTarget & { readonly notAfter?: Instant }> {
  const { userId = "", exchangedFormat: format, createdAt: since, expiresAt: notAfter } = family;
  if (format === undefined) {
    const request = { scope, resources: granted, since };
    return (await decideAuthority(context, { client, userId }, request)).tokenFor(named);
  }
  const audience = withoutLostApis(context, client, family);
  const request = { scope: parseScope(scope), audience, named, format, since };
  return { ...(await exchangedTarget(context, { client, userId }, request)), notAfter };
}

// The audience that an exchange chose, without our own APIs once the client is no longer trusted with them.
function withoutLostApis(
  { instance: { systemProjectId } }: AuthorityContext,
  { isTrustedForApi, clientId }: Client,
  { audience }: TokenFamily,
): string[] {
  const left = audience.filter((name) => isTrustedForApi || name !== systemProjectId);
  return left.length > 0 ? left : [clientId];
}
