import { isOwnResource, readingOrganizationOf } from "../../authority/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { listProjectOwners } from "../../domain/project/index.ts";
import { listResourceOwners, parseResourceUri } from "../../domain/resource/index.ts";
import type { OAuthDeps } from "../deps.ts";

/** The parties that read a token, or a response obtained with it. */
export interface Readers {
  /**
   * Whether only the project of the client reads it, with its applications and resources; our own APIs do not count.
   */
  readonly areOfProject: boolean;
  /** Whether a resource of another project is among them: it is told of no roles. */
  readonly haveForeignResource: boolean;
  /** The organizations that vouch for them; the empty text for a reader for whom none does, or that is not known. */
  readonly organizationIds: ReadonlySet<string>;
}

interface Reader {
  readonly projectId: string;
  readonly organizationId: string;
  /** The address by which a resource is known; absent for other readers. */
  readonly uriKey?: string;
}

const unknown: Reader = { projectId: "", organizationId: "" };

/**
 * Returns the readers of a token of the client: besides the client itself everything in the audience, because each of
 * them may take what is in the token, or at UserInfo, for something that was said to it. Without a client it is the
 * token of a service account, which has neither a project nor contact details.
 */
export async function readersOf(
  deps: Pick<OAuthDeps, "database" | "clients" | "systemProjectIdOf" | "originOf">,
  instanceId: string,
  { client, audience }: { readonly client: Client | undefined; readonly audience: readonly string[] },
): Promise<Readers> {
  if (client === undefined) return { areOfProject: false, haveForeignResource: false, organizationIds: new Set() };
  const own = new Set([client.clientId, client.projectId, ...client.audience]);
  const beside = audience.filter((name) => !own.has(name));
  const others = beside.length === 0 ? [] : await findReaders(deps, instanceId, beside);
  return {
    areOfProject: others.every(({ projectId }) => projectId === client.projectId),
    haveForeignResource: others.some(({ uriKey, projectId }) => uriKey !== undefined && projectId !== client.projectId),
    organizationIds: new Set([readingOrganizationOf(client), ...others.map(({ organizationId }) => organizationId)]),
  };
}

/**
 * Returns the organizations that read a token of a service account, which has no application: those of its audience
 * besides the account itself and our own APIs.
 */
export async function readersOfAccount(
  deps: Pick<OAuthDeps, "database" | "clients" | "systemProjectIdOf" | "originOf">,
  instanceId: string,
  { userId, audience }: { readonly userId: string; readonly audience: readonly string[] },
): Promise<ReadonlySet<string>> {
  const beside = audience.filter((name) => name !== userId);
  const readers = beside.length === 0 ? [] : await findReaders(deps, instanceId, beside);
  return new Set(readers.map(({ organizationId }) => organizationId));
}

async function findReaders(
  deps: Pick<OAuthDeps, "database" | "clients" | "systemProjectIdOf" | "originOf">,
  instanceId: string,
  names: readonly string[],
): Promise<readonly Reader[]> {
  const [systemProjectId, issuer] = await Promise.all([deps.systemProjectIdOf(instanceId), deps.originOf(instanceId)]);
  const others = names.filter((name) => name !== systemProjectId && !isOwnResource(name, issuer));
  if (others.length === 0) return [];
  const { read } = deps.database;
  const [projects, resources] = await Promise.all([
    listProjectOwners(read, instanceId, others),
    listResourceOwners(read, instanceId, others),
  ]);
  const byName = new Map<string | undefined, Reader>([
    ...projects.map((owner) => [owner.projectId, owner] as const),
    ...resources.map((owner) => [owner.uriKey, owner] as const),
  ]);
  return Promise.all(
    others.map(async (name) => {
      const found = byName.get(name) ?? byName.get(parseResourceUri(name)?.key);
      // An exchange may leave the client of the exchanged token in the audience.
      if (found !== undefined) return found;
      const client = await deps.clients.find(instanceId, name);
      // A resource that has been deleted.
      if (client === undefined) return name.includes("://") ? { ...unknown, uriKey: name } : unknown;
      return { projectId: client.projectId, organizationId: readingOrganizationOf(client) };
    }),
  );
}
