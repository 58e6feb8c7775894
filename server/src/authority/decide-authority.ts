import type { Instant } from "../base/clock.ts";
import type { Client } from "../domain/application/index.ts";
import { findConsent } from "../domain/consent/index.ts";
import { audienceOfScope } from "./audience.ts";
import { wordOf } from "./consent-words.ts";
import type { AuthorityContext } from "./context.ts";
import { needsConsentForAnything } from "./needs-consent.ts";
import { isOwnResource } from "./resource.ts";
import {
  dependsOnUser,
  findResources,
  isScopeAtResources,
  isScopeOf,
  permitsOf,
  registeredBy,
  targetOf,
} from "./resources.ts";
import { isRightScope, rightsOfScope } from "./rights.ts";
import { formatScope, isResourceScope, parseScope, withoutAlias } from "./scope.ts";
import { askerOf, asksForApis, findOtherProjects } from "./targets.ts";

/** What a user's tokens of a client may contain. */
export interface Authority {
  /** The requested scope, in the client's spelling, without what was not granted. */
  readonly scope: string;
  /** Audience for those of the requested resources that are left. */
  readonly audience: readonly string[];
  /**
   * Returns the access token for some of the requested resources, or for all of them when none is `named`. Throws
   * `invalid_target` for a named one that the client may no longer have, or when none of several is left.
   */
  tokenFor(named: readonly string[]): AccessTokenTarget;
}

/** Whom an access token is for, and its form. */
export interface AccessTokenTarget {
  readonly scope: string;
  readonly audience: readonly string[];
  readonly format: "opaque" | "jwt";
  /** Longest lifetime in seconds, where a resource wants less than the instance gives. */
  readonly longest?: number;
}

/**
 * Decides scope and audience of a user's tokens, each time that tokens are issued: for a code, in the browser, to a
 * device, by a refresh. Our own APIs are in the audience for a client that an administrator of the instance trusts, and
 * else with the rights that the user consented to. Another project is, when it belongs to the organization of the
 * client, was granted to it and the user is at home there, or the user consented. So is a resource that is registered
 * in a project (RFC 8707), with its scopes. A token for resources is for these alone. `since`: a resource that was
 * registered later is not the one that was granted.
 */
export async function decideAuthority(
  context: AuthorityContext,
  { client, userId }: { readonly client: Client; readonly userId: string },
  request: { readonly scope: string; readonly resources: readonly string[]; readonly since?: Instant },
): Promise<Authority> {
  const { reader, instance, aliases } = context;
  const tokens = [...parseScope(request.scope)];
  const scope = withoutAlias(tokens, aliases);
  const { systemProjectId, issuer, instanceId } = instance;
  const { resources } = request;
  const projects = await findOtherProjects(context, { client, userId }, scope);
  const registered = await findResources(reader, askerOf(context, { client, userId }), resources, instance);
  const found = registeredBy(registered, request.since);
  const asks = asksForApis({ scope, resources }, instance);
  const isAsked = found.length > 0 && (await needsConsentForAnything(context, { client, userId }));
  const dependsOnConsent =
    (asks && !client.isTrustedForApi) || projects.some(({ isShared }) => !isShared) || dependsOnUser(isAsked, found);
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
  const permits = permitsOf(isAsked, (resource, one) => consented.has(wordOf(resource, one)));
  const isKept = (token: string): boolean => {
    const own = withoutAlias([token], aliases);
    if ([...own].some(isRightScope)) return [...own].every(isGranted);
    if (isResourceScope(token)) return found.some((one) => isScopeOf(one, token) && permits(one, token));
    return audienceOfScope(own, systemProjectId).every((projectId) => allowed.has(projectId));
  };
  const kept = tokens.filter(isKept);
  const targetFor = (named: readonly string[], isEmptyFine: boolean): AccessTokenTarget => {
    const chosen = named.length > 0 ? named : resources;
    const target = targetOf({ found, permits, mayCallApis }, chosen, { named, issuer, isEmptyFine });
    const isForApis = mayCallApis && (chosen.length === 0 ? asks : chosen.some((uri) => isOwnResource(uri, issuer)));
    const isThere = (token: string): boolean =>
      chosen.length === 0 || isScopeAtResources(withoutAlias([token], aliases), { isForApis, systemProjectId });
    const own = kept.filter((token) => target.mayHave(token) && isThere(token));
    const ownScope = withoutAlias(own, aliases);
    const ofProject = chosen.length > 0 ? [] : client.audience;
    const audience = new Set([
      client.clientId,
      // A client in the built-in project is not trusted for being there.
      ...ofProject.filter((name) => name !== systemProjectId || client.isTrustedForApi),
      ...audienceOfScope(ownScope, systemProjectId),
      ...target.uris,
      ...(isForApis ? [systemProjectId] : []),
    ]);
    return {
      scope: formatScope(own),
      audience: [...audience],
      format: target.format ?? client.accessTokenFormat,
      ...shortestOf(target.lifetime, client.longestAccessToken),
    };
  };
  const tokenFor = (named: readonly string[]): AccessTokenTarget => targetFor(named, false);
  return { scope: formatScope(kept), audience: targetFor([], true).audience, tokenFor };
}

function shortestOf(...limits: readonly (number | undefined)[]): Pick<AccessTokenTarget, "longest"> {
  const longest = Math.min(...limits.filter((limit) => limit !== undefined));
  return Number.isFinite(longest) ? { longest } : {};
}

const hasConsentFor = (consented: ReadonlySet<string>, projectId: string): boolean =>
  audienceOfScope(consented, "").includes(projectId);
