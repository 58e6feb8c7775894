import { type CommittedEvent, createCache, type Database, type Reader } from "../../database/index.ts";
import { instanceOrigin } from "../instance/index.ts";
import { defaultOidcConfiguration, matchRedirectUri, type OidcConfiguration } from "../oidc-configuration/index.ts";
import { hasConsumer, type SamlConfiguration } from "../saml-configuration/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import { listKeysOfApplication, type StoredApplicationKey } from "./application-key.store.ts";
import { readConfiguration } from "./application-row.ts";
import {
  type BuiltInName,
  type BuiltIns,
  builtInConfiguration,
  builtInNames,
  commandLineAccessTokenSeconds,
} from "./built-in-application.ts";
import { type ClientRow, findClientRow, listClientIds } from "./client.store.ts";
import type { Client, ClientKey } from "./client.ts";
import { acceptDocumentId, isDocumentId } from "./document-id.ts";
import { raiseClient } from "./raise-client.ts";

/** Caches the clients of all instances. */
export interface ClientDirectory {
  /**
   * Finds the client, synchronously when it is cached; undefined when there is no client with this id. Check
   * `isActive`.
   */
  find(instanceId: string, clientId: string): Client | undefined | Promise<Client | undefined>;
}

/** Creates the directory that every OAuth endpoint asks. The cache is current as of the last committed event. */
export function createClientDirectory(deps: {
  readonly database: Database;
  readonly maximum?: number;
  /** All clients that are kept have so many characters. */
  readonly mostCharacters?: number;
  /** Whether clients are at least as strict as the strict profile asks, whatever is stored. */
  readonly isStrict?: boolean;
  /** Says which metadata documents the instance accepts. Without it all are. */
  readonly settings?: Pick<SettingsReader, "get">;
  /** Without it the applications that come with instances are inactive. */
  readonly builtIns?: BuiltIns;
}): ClientDirectory {
  const { database, maximum = 10_000, mostCharacters = 64 * 1024 * 1024, isStrict = false, builtIns, settings } = deps;
  const cache = createCache<Client>(database, {
    load: async (key) => {
      const [instanceId, clientId] = splitKey(key);
      const client = await loadClient(database.read, { instanceId, clientId, builtIns });
      return client && isStrict ? raiseClient(client) : client;
    },
    aggregateTypes: ["application", "project", "organization", "instance"],
    isStaleAfter,
    maximum,
    mostCharacters,
    lengthOf,
  });
  return {
    find: (instanceId, clientId) => {
      const found = cache.get(`${instanceId}\n${clientId}`);
      return settings !== undefined && isDocumentId(clientId) ? whileAccepted(settings, found) : found;
    },
  };
}

// A client with a document has access only as long as the instance accepts the document: wherever a client is looked
// up, one that is accepted no longer is inactive. The settings are cached like the client.
async function whileAccepted(
  settings: Pick<SettingsReader, "get">,
  found: Client | undefined | Promise<Client | undefined>,
): Promise<Client | undefined> {
  const client = await found;
  if (client === undefined) return undefined;
  const { instanceId, clientId } = client;
  const security = await settings.get("security", { instanceId });
  const isAccepted = acceptDocumentId(clientId, security.settings) !== undefined;
  return isAccepted ? client : Object.freeze<Client>({ ...client, isActive: false });
}

/**
 * Returns whether responses may be sent to a redirect URI of a client, as its rows say now: the cache of another node
 * may not know yet that the address was taken away, or that the application was deactivated.
 */
export async function findPresentTarget(
  reader: Reader,
  { instanceId, clientId, builtInAt }: Pick<Client, "instanceId" | "clientId" | "builtInAt">,
  { redirectUri, responseType }: { readonly redirectUri: string; readonly responseType: string | undefined },
): Promise<"open" | "removed" | "inactive"> {
  const row = await findClientRow(reader, instanceId, clientId);
  if (row?.isActive !== 1) return "inactive";
  const saml = samlOf(row);
  const isOpen =
    saml === undefined
      ? matchRedirectUri(toOidc(row, openAt(builtInAt)), redirectUri, responseType) !== undefined
      : hasConsumer(saml.partner, redirectUri);
  return isOpen ? "open" : "removed";
}

/** What a sign-in of a user to an application depends on. */
export interface ActiveClient
  extends Pick<
    Client,
    | "projectId"
    | "organizationId"
    | "isAuthorizationRequired"
    | "isProjectAccessRequired"
    | "isConsentRequired"
    | "responseTypes"
  > {
  /** Whether it comes with the instance. */
  readonly isBuiltIn: boolean;
}

/**
 * Finds an OpenID Connect client that is active with its project and organization, as its rows say now. For what ends
 * with it on every node immediately; undefined when there is none.
 */
export async function findActiveClient(
  reader: Reader,
  instanceId: string,
  clientId: string,
): Promise<ActiveClient | undefined> {
  const row = await findClientRow(reader, instanceId, clientId);
  if (row?.isActive !== 1 || row.kind !== "oidc") return undefined;
  const { isConsentRequired, responseTypes } = toOidc(row, undefined);
  return {
    projectId: row.projectId,
    organizationId: row.organizationId,
    isAuthorizationRequired: row.isAuthorizationRequired === 1,
    isProjectAccessRequired: row.isProjectAccessRequired === 1,
    isConsentRequired,
    responseTypes: new Set(responseTypes),
    isBuiltIn: row.builtInName !== null,
  };
}

// Scheme and port of an instance stay; its host is the one of the row.
const openAt = (base: string | undefined): BuiltIns | undefined =>
  base === undefined ? undefined : { base, isConsoleOn: true, commandLine: "all" };

// What tenants decide how much of they have: URIs, keys, and other applications in the project, which are in two lists.
function lengthOf(client: Client): number {
  const { redirectUris, postLogoutRedirectUris, additionalOrigins, requestUris, siblingClientIds, audience } = client;
  const lists = [redirectUris, postLogoutRedirectUris, additionalOrigins, requestUris, siblingClientIds, audience];
  let length =
    JSON.stringify(client.jwks).length + (client.saml === undefined ? 0 : JSON.stringify(client.saml).length);
  for (const list of lists) for (const text of list) length += text.length;
  for (const { publicKey } of client.keys) if (typeof publicKey === "string") length += publicKey.length;
  return length;
}

// The other applications of the project are in the audience, so any change of an application or project of the
// organization counts.
function isStaleAfter(event: CommittedEvent, client: Client): boolean {
  // The addresses of what comes with an instance follow its host.
  if (event.aggregateType === "instance")
    return client.builtInAt !== undefined && event.instanceId === client.instanceId;
  return (
    event.ownerId === client.organizationId &&
    event.instanceId === client.instanceId &&
    !event.type.startsWith("project.role.")
  );
}

function splitKey(key: string): [instanceId: string, clientId: string] {
  const end = key.indexOf("\n");
  return [key.slice(0, end), key.slice(end + 1)];
}

interface Wanted {
  readonly instanceId: string;
  readonly clientId: string;
  readonly builtIns: BuiltIns | undefined;
}

// Of the applications of a project that name one another: each has a list of all, and each token that is issued.
const mostSiblings = 100;

async function loadClient(reader: Reader, wanted: Wanted): Promise<Client | undefined> {
  const { instanceId, clientId } = wanted;
  const row = await findClientRow(reader, instanceId, clientId);
  if (row === undefined) return undefined;
  const { projectId } = row;
  const [clientIds, keys] = await Promise.all([
    // Registered clients may share their project with thousands of unrelated ones, and none of them is in another's
    // audience.
    toOidc(row, undefined).isAudienceNarrow
      ? [clientId]
      : listClientIds(reader, instanceId, { projectId, limit: mostSiblings + 1 }),
    listKeysOfApplication(reader, instanceId, row.applicationId),
  ]);
  return toClient(wanted, row, clientIds.length > mostSiblings ? [clientId] : clientIds, keys);
}

function toClient(
  { instanceId, clientId, builtIns }: Wanted,
  row: ClientRow,
  siblingClientIds: readonly string[],
  keys: readonly StoredApplicationKey[],
): Client {
  const configuration = toOidc(row, builtIns);
  const saml = samlOf(row);
  return Object.freeze<Client>({
    ...configuration,
    ...builtInFields(row, builtIns),
    ...(saml !== undefined && { saml, loginVersion: saml.loginVersion }),
    instanceId,
    clientId,
    applicationId: row.applicationId,
    projectId: row.projectId,
    organizationId: row.organizationId,
    applicationKind: row.kind,
    name: row.name,
    kind: configuration.authMethod === "none" ? "public" : "confidential",
    secretHash: row.secretHash ?? undefined,
    isActive: row.isActive === 1 && (row.builtInName === null || isServed(row, builtIns)),
    isRegistered: row.isRegistered === 1,
    hasOwnAddresses: row.hasOwnAddresses === 1,
    grantTypes: new Set(configuration.grantTypes),
    responseTypes: new Set(configuration.responseTypes),
    isProjectRoleAssertionOn: row.isRoleAssertionOn === 1,
    isAuthorizationRequired: row.isAuthorizationRequired === 1,
    isProjectAccessRequired: row.isProjectAccessRequired === 1,
    privateLabeling: row.privateLabeling,
    siblingClientIds,
    audience: configuration.isAudienceNarrow ? [clientId] : [...siblingClientIds, row.projectId],
    keys: [...keys.map(toClientKey), ...configuration.jwks.map(toRegisteredKey)],
  });
}

const isBuiltInName = (name: string | null): name is BuiltInName => name !== null && Object.hasOwn(builtInNames, name);

/** Where an application that comes with the instance is now. */
const builtInOrigin = ({ builtInHost }: ClientRow, builtIns: BuiltIns | undefined): string | undefined =>
  builtInHost === null || builtIns === undefined
    ? undefined
    : instanceOrigin(builtIns.base, { primaryHost: builtInHost });

/** Whether the operator has what comes with the instance turned on, and the instance has a host of its own. */
function isServed(row: ClientRow, builtIns: BuiltIns | undefined): boolean {
  if (builtIns === undefined || !isBuiltInName(row.builtInName)) return false;
  const isOn = row.builtInName === "console" ? builtIns.isConsoleOn : builtIns.commandLine !== "off";
  return isOn && builtInOrigin(row, builtIns) !== undefined;
}

function builtInFields(
  row: ClientRow,
  builtIns: BuiltIns | undefined,
): Pick<Client, "builtInAt" | "builtInName" | "longestAccessToken"> {
  const { builtInName } = row;
  const builtInAt = builtInOrigin(row, builtIns);
  if (!isBuiltInName(builtInName) || builtInAt === undefined || !isServed(row, builtIns)) return {};
  return {
    builtInAt,
    builtInName,
    ...(builtInName === "command_line" && { longestAccessToken: commandLineAccessTokenSeconds }),
  };
}

// What comes with the instance is the program's: its row says nothing of what it may do.
function toOidc(row: ClientRow, builtIns: BuiltIns | undefined): OidcConfiguration {
  if (isBuiltInName(row.builtInName)) {
    const { commandLine = "off" } = builtIns ?? {};
    const origin = isServed(row, builtIns) ? builtInOrigin(row, builtIns) : undefined;
    return builtInConfiguration(row.builtInName, { origin, commandLine });
  }
  const read = readConfiguration(row.kind, row.configuration);
  switch (read.kind) {
    case "oidc":
      return read.configuration;
    case "api":
      return { ...defaultOidcConfiguration, authMethod: read.configuration.authMethod };
    case "saml":
      // It has no key and can be given none, so that it never authenticates.
      return { ...defaultOidcConfiguration, authMethod: "private_key_jwt" };
    default:
      return read satisfies never;
  }
}

function samlOf(row: ClientRow): SamlConfiguration | undefined {
  const read = readConfiguration(row.kind, row.configuration);
  return read.kind === "saml" ? read.configuration : undefined;
}

// Keys of a `jwks` document were checked at registration and remain valid until another document replaces it.
function toRegisteredKey(jwk: Readonly<Record<string, unknown>>): ClientKey {
  const keyId = typeof jwk["kid"] === "string" ? jwk["kid"] : "";
  return { keyId, publicKey: jwk, expiresAt: Number.POSITIVE_INFINITY };
}

const toClientKey = ({ keyId, publicKey, expiresAt }: StoredApplicationKey): ClientKey => ({
  keyId,
  publicKey,
  expiresAt,
});
