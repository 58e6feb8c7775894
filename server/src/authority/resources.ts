import type { Instant } from "../base/clock.ts";
import { OAuthError } from "../base/oauth-error.ts";
import type { Reader } from "../database/index.ts";
import type { Asker } from "../domain/project/index.ts";
import { type AudienceResource, listAudienceResources, parseResourceUri } from "../domain/resource/index.ts";
import { audienceOfScope } from "./audience.ts";
import { isOwnResource } from "./resource.ts";
import { isRightScope } from "./rights.ts";
import { isResourceScope } from "./scope.ts";
import type { AudienceInstance } from "./targets.ts";

/** Returns the addresses that are not ours, and so have to be registered. */
export const othersOf = (resources: readonly string[], { issuer }: Pick<AudienceInstance, "issuer">): string[] =>
  resources.filter((resource) => !isOwnResource(resource, issuer));

/** Lists those of the requested resources that are registered and count. Our own APIs are left out. */
export async function findResources(
  reader: Reader,
  asker: Asker,
  resources: readonly string[],
  instance: Pick<AudienceInstance, "instanceId" | "issuer">,
): Promise<readonly AudienceResource[]> {
  const uris = othersOf(resources, instance);
  return uris.length === 0 ? [] : listAudienceResources(reader, instance.instanceId, { ...asker, uris });
}

/** Returns the resource that an address means, in any spelling. */
export function resourceAt<Found extends Pick<AudienceResource, "uri">>(
  uri: string,
  found: readonly Found[],
): Found | undefined {
  const key = parseResourceUri(uri)?.key;
  return key === undefined ? undefined : found.find((one) => parseResourceUri(one.uri)?.key === key);
}

/** Whether a scope means something at the resource. */
export const isScopeOf = ({ scopes }: AudienceResource, scope: string): boolean =>
  scopes.some(({ name }) => name === scope);

export const unknownResource = (): OAuthError =>
  new OAuthError("invalid_target", "the resource is not known, or the client may not have tokens for it");

/** What a user permits of a resource: the resource, or a scope there. */
export type Permits = (resource: AudienceResource, scope?: string) => boolean;

/**
 * Returns what a client may have of resources. Those of the organization of the client, or granted to it, need no
 * consent, unless the user has to let the client in at all (`isAsked`); every other resource does, and each of its
 * scopes.
 */
export const permitsOf =
  (isAsked: boolean, isConsented: Permits): Permits =>
  (resource, scope) =>
    (resource.isShared && !isAsked) || isConsented(resource, scope);

/** Whether the consent of the user decides what the client may have of a resource. */
export const dependsOnUser = (isAsked: boolean, found: readonly AudienceResource[]): boolean =>
  found.some(({ isShared }) => !isShared || isAsked);

/** What tokens for some resources are. */
export interface ResourceTarget {
  /** URIs as they are registered, and addresses of ours as they were written. */
  readonly uris: readonly string[];
  readonly mayHave: (scope: string) => boolean;
  /** Undefined: as the client is configured. */
  readonly format: "opaque" | "jwt" | undefined;
  /** Seconds; undefined: that of the instance. */
  readonly lifetime: number | undefined;
}

/**
 * Returns the target of tokens for resources that were granted, as far as they are still there. One that was `named` in
 * this request, or one of several, must be (`invalid_target`), unless it is only asked what is left. A scope is in the
 * token when one of the resources knows it, and each that knows it is permitted to the client with it. One resource
 * that reads its tokens itself makes them JWTs, and the shortest lifetime counts.
 */
export function targetOf(
  {
    found,
    permits,
    mayCallApis,
  }: {
    readonly found: readonly AudienceResource[];
    readonly permits: Permits;
    readonly mayCallApis: boolean;
  },
  resources: readonly string[],
  {
    named,
    issuer,
    isEmptyFine = false,
  }: { readonly named: readonly string[]; readonly issuer: string; readonly isEmptyFine?: boolean },
): ResourceTarget {
  const isLeft = (uri: string): boolean => {
    if (isOwnResource(uri, issuer)) return mayCallApis;
    const resource = resourceAt(uri, found);
    return resource !== undefined && permits(resource);
  };
  const left = resources.filter(isLeft);
  const others = othersOf(resources, { issuer });
  if (othersOf(named, { issuer }).some((uri) => !isLeft(uri))) throw unknownResource();
  if (left.length === 0 && others.length > 0 && !isEmptyFine) throw unknownResource();
  const chosen = found.filter(({ uri }) => left.some((one) => resourceAt(one, [{ uri }]) !== undefined));
  const lifetimes = chosen.map(({ accessTokenLifetime }) => accessTokenLifetime).filter((seconds) => seconds > 0);
  return {
    uris: [...new Set(left.map((uri) => resourceAt(uri, chosen)?.uri ?? uri))],
    mayHave: (scope) => {
      const knowing = chosen.filter((resource) => isScopeOf(resource, scope));
      return !isResourceScope(scope) || (knowing.length > 0 && knowing.every((resource) => permits(resource, scope)));
    },
    format: formatOf(chosen),
    lifetime: lifetimes.length === 0 ? undefined : Math.min(...lifetimes),
  };
}

/**
 * Returns the target of tokens that a service account gets for itself: every resource must be of its organization, or
 * granted to it. Throws `invalid_target`.
 */
export async function resourcesOfAccount(
  { reader, instance }: { readonly reader: Reader; readonly instance: Pick<AudienceInstance, "instanceId" | "issuer"> },
  { organizationId }: { readonly organizationId: string },
  resources: readonly string[],
): Promise<ResourceTarget> {
  const found = await findResources(reader, { organizationId }, resources, instance);
  const permits: Permits = ({ isShared }) => isShared;
  return targetOf({ found, permits, mayCallApis: true }, resources, { named: resources, issuer: instance.issuer });
}

/**
 * Whether a scope (with our own namespace word) may be in a token for resources. The server of one of them gets the
 * token, and often says which scopes to ask for (RFC 9728): it must not be able to use the token at a project or at our
 * own APIs. So a scope that leads there counts only when our own APIs are one of the resources.
 */
export function isScopeAtResources(
  scope: ReadonlySet<string>,
  { isForApis, systemProjectId }: { readonly isForApis: boolean; readonly systemProjectId: string },
): boolean {
  if (scope.values().some(isRightScope)) return isForApis;
  return audienceOfScope(scope, systemProjectId).every((projectId) => isForApis && projectId === systemProjectId);
}

const formatOf = (chosen: readonly AudienceResource[]): ResourceTarget["format"] => {
  if (chosen.length === 0) return undefined;
  return chosen.some(({ tokenFormat }) => tokenFormat === "jwt") ? "jwt" : "opaque";
};

/** Leaves out what was registered after the instant: another resource than the one that was granted by the same URI. */
export const registeredBy = (
  found: readonly AudienceResource[],
  instant: Instant | undefined,
): readonly AudienceResource[] =>
  instant === undefined ? found : found.filter(({ details }) => details.createdAt <= instant);
