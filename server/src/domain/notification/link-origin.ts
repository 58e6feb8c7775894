import type { Reader } from "../../database/index.ts";
import { listAddressDocuments, listLinkHosts } from "./link-origin.store.ts";

/** Returns whether an address is one of our own pages: on a host of the instance, below `/ui/`. */
export async function isOwnPage(reader: Reader, instanceId: string, address: string): Promise<boolean> {
  const url = new URL(address);
  const hosts = await listLinkHosts(reader, instanceId);
  return url.pathname.startsWith("/ui/") && hosts.some(({ host, isTrusted }) => isTrusted === 0 && isAt(url, host));
}

/**
 * Returns whether messages may lead to an address: a host of the instance or one that it trusts, the origin of its login,
 * or an origin that an application of one of the organizations has registered.
 */
export async function isLinkRegistered(
  reader: Reader,
  instanceId: string,
  { address, organizationIds }: { readonly address: string; readonly organizationIds: readonly string[] },
): Promise<boolean> {
  const url = new URL(address);
  const hosts = await listLinkHosts(reader, instanceId);
  if (hosts.some(({ host }) => isAt(url, host))) return true;
  const documents = await listAddressDocuments(reader, instanceId, { host: url.host, organizationIds });
  return documents.some((document) => namesOrigin(JSON.parse(document), url.origin));
}

const isAt = (url: URL, host: string): boolean => url.host === host || url.hostname === host;

function namesOrigin(value: unknown, origin: string): boolean {
  if (typeof value === "string") return URL.canParse(value) && new URL(value).origin === origin;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((each) => namesOrigin(each, origin));
}
