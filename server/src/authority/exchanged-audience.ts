import { OAuthError } from "../base/oauth-error.ts";
import type { Reader } from "../database/index.ts";
import { type Client, type ClientDirectory, findProjectsOfClients } from "../domain/application/index.ts";
import { listAudienceProjects } from "../domain/project/index.ts";
import type { ConsentPolicy } from "./consent-policy.ts";
import { rightsOfScope } from "./rights.ts";
import { askerOf } from "./targets.ts";

/** A token that is exchanged: its client, scope (with our own word) and audience. */
interface Exchanged {
  readonly clientId: string | undefined;
  readonly scope: ReadonlySet<string> | undefined;
  readonly audience: readonly string[];
}

interface ExchangeDeps {
  readonly clients: ClientDirectory;
  readonly reader: Reader;
  readonly instanceId: string;
  readonly systemProjectId: string;
  readonly consent: ConsentPolicy;
}

interface Exchange {
  /** The user of the subject's token. */
  readonly userId: string;
  readonly subject: Exchanged;
  readonly actor: Exchanged | undefined;
  readonly audience: readonly string[];
  /** Names that the client asked for; the others are left out where they are not granted. */
  readonly wanted: readonly string[];
}

/**
 * Returns the audience of a token exchange (RFC 8693). Throws `invalid_target` for what was named and is not granted.
 *
 * - Our own APIs only when both the exchanging client and the clients of all tokens that are for our APIs are trusted
 *   with them: a consent is given to one client, for some rights.
 * - The audience of the subject's token was granted for its user. An audience that only the actor's token has was not,
 *   because a service account may ask for any project. Of those, only the client's own project, projects shared with
 *   its organization and addresses (RFC 8707), which are merely names, are kept.
 */
export async function exchangedAudience(deps: ExchangeDeps, client: Client, exchange: Exchange): Promise<string[]> {
  const { systemProjectId } = deps;
  const { audience, wanted, subject, actor } = exchange;
  const ofActor = audience.filter((name) => name !== systemProjectId && !subject.audience.includes(name));
  const shared = await findShared(deps, { client, userId: exchange.userId }, ofActor);
  const unshared = new Set(ofActor.filter((name) => !shared.has(name)));
  if (wanted.some((name) => unshared.has(name))) {
    throw new OAuthError("invalid_target", "the audience names a project of another organization");
  }
  const parties = actor === undefined ? [subject] : [subject, actor];
  const isForApis = audience.includes(systemProjectId) && (await mayPassOnApis(deps, client, parties));
  if (!isForApis && wanted.includes(systemProjectId)) {
    throw new OAuthError("invalid_target", "the client may not pass on tokens for the APIs of this server");
  }
  const granted = audience.filter((name) => !unshared.has(name) && (isForApis || name !== systemProjectId));
  return granted.length > 0 || audience.length === 0 ? granted : [client.clientId];
}

async function mayPassOnApis(deps: ExchangeDeps, client: Client, parties: readonly Exchanged[]): Promise<boolean> {
  if (!client.isTrustedForApi) return false;
  const forApis = parties.filter((party) => party.audience.includes(deps.systemProjectId));
  const areTrusted = await Promise.all(forApis.map((party) => isTrusted(deps, party)));
  return areTrusted.every((one) => one);
}

// The client of a service account is not an application.
async function isTrusted({ clients, instanceId }: ExchangeDeps, { clientId, scope }: Exchanged): Promise<boolean> {
  if (scope !== undefined && rightsOfScope(scope).size > 0) return false;
  const client = clientId === undefined ? undefined : await clients.find(instanceId, clientId);
  return client === undefined || client.isTrustedForApi;
}

/** Filters the names to those that the client's organization may have in an audience. */
async function findShared(
  deps: ExchangeDeps,
  { client, userId }: { readonly client: Client; readonly userId: string },
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const { instanceId, reader } = deps;
  const own = new Set([client.clientId, client.projectId, ...client.siblingClientIds]);
  const others = names.filter((name) => !own.has(name) && !name.includes("://"));
  const ofClients = await findProjectsOfClients(reader, instanceId, others);
  const projectOf = new Map(others.map((name) => [name, ofClients.get(name) ?? name] as const));
  const projectIds = [...new Set(projectOf.values())];
  const asker = askerOf(deps, { client, userId });
  const known = projectIds.length === 0 ? [] : await listAudienceProjects(reader, instanceId, { ...asker, projectIds });
  const shared = new Set(known.filter(({ isShared }) => isShared).map(({ projectId }) => projectId));
  return new Set(names.filter((name) => !projectOf.has(name) || shared.has(projectOf.get(name) ?? "")));
}
