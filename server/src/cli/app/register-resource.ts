import { isRecord } from "../../base/json.ts";
import type { ApiClient } from "../api-call.ts";
import { CommandError } from "../command-error.ts";

/** A resource as the command line names it. */
export interface WantedResource {
  readonly uri: string;
  /** `name` or `name=what it permits`, in English. */
  readonly scopes: readonly string[];
  /** Whether clients that no administrator made may come to it. */
  readonly isOpen: boolean;
}

/** What the owner of a resource publishes and what clients name. */
export interface RegisteredResource {
  readonly uri: string;
  readonly scopes: readonly string[];
  /** Where the resource publishes its metadata (RFC 9728 §3.1). */
  readonly metadataUrl: string;
}

/** Registers a resource in a project. */
export async function registerResource(
  api: ApiClient,
  project: { readonly projectId: string; readonly name: string },
  { uri, scopes }: WantedResource,
): Promise<RegisteredResource> {
  const named = scopes.map(parseScope);
  const made = await api("resource.v2.ResourceService/CreateResource", { ...project, uri, scopes: named });
  const registered = typeof made["uri"] === "string" ? made["uri"] : uri;
  const { origin, pathname } = new URL(registered);
  const path = pathname === "/" ? "" : pathname;
  return {
    uri: registered,
    scopes: named.map(({ name }) => name),
    metadataUrl: `${origin}/.well-known/oauth-protected-resource${path}`,
  };
}

function parseScope(text: string) {
  const [name = "", ...rest] = text.split("=");
  if (name === "") throw new CommandError(`${text} names no scope`, { fix: "give --scope as name=what it permits" });
  const description = rest.join("=");
  return { name, descriptions: description === "" ? {} : { en: description } };
}

/**
 * Opens the instance to clients that no administrator created, such as those of the Model Context Protocol: they
 * register themselves (RFC 7591), or are identified by the address of a metadata document. Returns what was turned on,
 * in sentences.
 */
export async function openToClients(api: ApiClient): Promise<string[]> {
  const service = "settings.v2.SettingsService";
  try {
    const { settings } = await api(`${service}/GetSecuritySettings`, {});
    const before = recordOf(settings);
    const registration = recordOf(before["dynamicClientRegistration"]);
    const documents = recordOf(before["clientIdMetadataDocument"]);
    const isRegistrationOpen = registration["enabled"] === true && registration["allowUnauthenticated"] === true;
    const areDocumentsOpen = documents["enabled"] === true && documents["allowAnyUrl"] === true;
    if (isRegistrationOpen && areDocumentsOpen) return [];
    await api(`${service}/SetSecuritySettings`, {
      ...before,
      dynamicClientRegistration: { ...registration, enabled: true, allowUnauthenticated: true },
      clientIdMetadataDocument: { ...documents, enabled: true, allowAnyUrl: true },
    });
    return [
      ...(isRegistrationOpen ? [] : ["turned on: any client may register itself (dynamicClientRegistration)"]),
      ...(areDocumentsOpen
        ? []
        : ["turned on: a client may be known by the address of its metadata document (clientIdMetadataDocument)"]),
      "both hold for the whole instance; every user is asked before such a client gets anything",
    ];
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [`clients cannot register themselves yet: ${error.message}; an owner of the instance can turn it on`];
  }
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
