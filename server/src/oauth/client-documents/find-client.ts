import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { acceptDocumentId, type Client, type ClientDirectory, isDocumentId } from "../../domain/application/index.ts";
import { discardApplication } from "../../domain/deletion/index.ts";
import { type CreateRegistrationDeps, putDocumentClient } from "../../domain/registration/index.ts";
import { registrationQuotaOf, type SettingsReader } from "../../domain/settings/index.ts";
import { type ClientMetadata, toMetadataError } from "../client-metadata/client-metadata.ts";
import type { DocumentCache } from "./document-cache.ts";

export interface FindClientDeps extends Omit<CreateRegistrationDeps, "discardApplication"> {
  readonly clients: ClientDirectory;
  readonly settings: SettingsReader;
  readonly defaultOrganizationIdOf: (instanceId: string) => Promise<string>;
  readonly documents: DocumentCache;
}

/** Finds the client of a request; undefined when there is none with this id. Callers check `isActive`. */
export type FindClient = (call: Call, clientId: string) => Client | undefined | Promise<Client | undefined>;

/**
 * Creates the lookup for endpoints that clients call. Our ids are looked up in the directory; an id that is the address
 * of a document is fetched, when the security settings permit it. A client with an invalid document does not exist.
 */
export function createFindClient(deps: FindClientDeps): FindClient {
  return (call, clientId) =>
    isDocumentId(clientId) ? findDocumentClient(deps, call, clientId) : deps.clients.find(call.instanceId, clientId);
}

async function findDocumentClient(deps: FindClientDeps, call: Call, clientId: string): Promise<Client | undefined> {
  const { instanceId } = call;
  const { settings } = await deps.settings.getCommitted("security", { instanceId });
  const url = acceptDocumentId(clientId, settings);
  if (url === undefined) return undefined;
  const { source } = call;
  const known = await deps.clients.find(instanceId, clientId);
  const document = await deps.documents.get(instanceId, url, { source, isKnown: known !== undefined });
  if (document.metadata === undefined) return undefined;
  if (known !== undefined && !document.isNew) return known;
  try {
    const own = { ...deps, discardApplication };
    await putDocumentClient(own, call, {
      ...toClient(document.metadata),
      clientId,
      organizationId: await deps.defaultOrganizationIdOf(instanceId),
      source,
      quota: registrationQuotaOf(settings),
    });
  } catch (error) {
    // The limit of such clients is reached, or the organization or project for them is deactivated.
    if (error instanceof Fault && error.id.startsWith("registration.")) return undefined;
    // What the document says contradicts what an administrator bound the client to.
    if (!(error instanceof Fault) || error.field?.startsWith("oidcConfiguration.") !== true) throw error;
    deps.documents.refuse(instanceId, url, toMetadataError(error).description);
    return undefined;
  }
  return deps.clients.find(instanceId, clientId);
}

/**
 * Returns why an id that is the address of a document belongs to no client, as a sentence for the client's developer;
 * undefined for other ids.
 */
export type ExplainClient = (call: Call, clientId: string) => Promise<string | undefined>;

/** Creates the explanation. It reads what the lookup has just fetched. */
export function createExplainClient({
  settings: reader,
  documents,
}: Pick<FindClientDeps, "settings" | "documents">): ExplainClient {
  return async ({ instanceId, source }, clientId) => {
    if (!isDocumentId(clientId)) return undefined;
    const { settings } = await reader.getCommitted("security", { instanceId });
    const url = acceptDocumentId(clientId, settings);
    if (url === undefined) return "client metadata documents at this address are not accepted here";
    return (await documents.get(instanceId, url, { source, isKnown: false })).refusal;
  };
}

function toClient({ clientName, configuration, inert }: ClientMetadata) {
  return { clientName, configuration: { ...configuration, isAudienceNarrow: true }, metadata: inert };
}
