// What a client makes of a token by exchange (RFC 8693), as the rules say.

import {
  type AuthorityModel,
  current,
  facts,
  isForeign,
  isTrusted,
  knows,
  lineage,
  type ModelToken,
  ofResources,
  others,
  permits,
  type ResourceName,
  resourceFacts,
  rights,
} from "./authority-model.ts";

export interface Exchange {
  readonly client: number;
  readonly token: ModelToken;
  readonly scope: readonly string[];
  /** Names of the audience; empty for that of the token. */
  readonly audience: readonly string[];
  /** A resource that is named as such. */
  readonly resource: ResourceName | undefined;
  readonly isJwtAsked: boolean;
}

type Content = Pick<ModelToken, "scope" | "audience" | "format" | "lifetime">;

/** Returns what is issued; undefined when the exchange is refused. */
export function exchange(model: AuthorityModel, asked: Exchange, instance: number): Content | undefined {
  const { client, token } = asked;
  const left = current(model, token);
  if (left === undefined || !mayPassOn(model, client, token, left.audience)) return undefined;
  if (asked.scope.length === 0 || !asked.scope.every((one) => left.scope.has(one))) return undefined;
  const wanted = [...asked.audience, ...(asked.resource === undefined ? [] : [asked.resource])];
  if (!wanted.every((name) => left.audience.has(name))) return undefined;
  const mayPassApis =
    isTrusted(model, client) && isTrusted(model, token.client) && !rights.some((right) => left.scope.has(right));
  if (wanted.includes("apis") && !mayPassApis) return undefined;
  const chosen = wanted.length > 0 ? wanted : [...left.audience];
  const kept = chosen.filter((name) => mayPassApis || name !== "apis");
  return contentOf(model, asked, kept.length > 0 ? kept : [`client:${client}`], instance);
}

/** Whether a token is for the client, and the client one that may do something with it. */
function mayPassOn(
  model: AuthorityModel,
  client: number,
  { client: other, user }: ModelToken,
  audience: ReadonlySet<string>,
): boolean {
  const { project, needsConsent } = facts(client);
  if (!audience.has(`client:${client}`) && !audience.has(project)) return false;
  if (client === other) return true;
  return !needsConsent && (facts(other).project === project || !isForeign(model, { client, user }));
}

function contentOf(
  model: AuthorityModel,
  { client, token, scope, resource, isJwtAsked }: Exchange,
  audience: readonly string[],
  instance: number,
): Content | undefined {
  const who = { client, user: token.user };
  const version = token.moneyVersion;
  const isService = (name: string): name is "files" | "money" => name === "files" || name === "money";
  const rest = audience.filter((name) => !isService(name));
  const named = resource === undefined ? audience.filter(isService) : others([resource]);
  const services = named.filter((at) => permits(model, who, { resource: at, version }));
  if (resource !== undefined && services.length < named.length) return undefined;
  if (services.length + rest.length === 0) return undefined;
  const mayHave = (one: string): boolean => {
    if (!ofResources.includes(one)) return true;
    const knowing = services.filter((at) => knows(model, at, one));
    return knowing.length > 0 && knowing.every((at) => permits(model, who, { resource: at, version, scope: one }));
  };
  const left = scope.filter(mayHave);
  const wish = isJwtAsked ? "jwt" : "opaque";
  const ofServices = services.some((one) => resourceFacts[one].isJwt) ? "jwt" : "opaque";
  const format = services.length > 0 ? ofServices : wish;
  if (left.length === 0 || (isJwtAsked && format !== "jwt")) return undefined;
  const end = Math.min(...lineage(token).map(({ issuedAt, lifetime }) => issuedAt + lifetime * 1000));
  const lifetimes = services.map((one) => resourceFacts[one].lifetime).filter((seconds) => seconds > 0);
  return {
    scope: new Set(left),
    audience: new Set([...rest, ...services]),
    format,
    lifetime: Math.min(instance, ...lifetimes, (end - model.now) / 1000),
  };
}
