import type { Reader } from "../../database/index.ts";
import { originsOfHost } from "../instance/index.ts";
import { mayLeadOn, takesCode } from "./hosted-page.ts";
import { hasOrigin, type LinkHost, listFeatureDocuments, listLinkHosts } from "./link-origin.store.ts";

/** An instance with its public origin, whose scheme and port are those of its other hosts. */
interface LinkingInstance {
  readonly instanceId: string;
  readonly origin: string;
}

/**
 * Returns whether a code in an address stays with us: the address is a page of ours that takes codes, or in our login.
 */
export async function isOwnPage(reader: Reader, instance: LinkingInstance, address: string): Promise<boolean> {
  const url = new URL(address);
  const hosts = await listLinkHosts(reader, instance.instanceId);
  return hosts.some((host) => isOwn(instance, host, url)) && keepsCode(reader, instance.instanceId, url);
}

/**
 * Returns whether only the user reads a code in an address: it is a page of ours that takes codes, in the login of the
 * instance, or at a host that it trusts. The other addresses of ours do not count: several of them send the browser on,
 * with what is in the address (`state`), to where an application says.
 */
export async function isPageOfInstance(reader: Reader, instance: LinkingInstance, address: string): Promise<boolean> {
  const url = new URL(address);
  const { instanceId } = instance;
  const hosts = await listLinkHosts(reader, instanceId);
  if (hosts.some((host) => isOwn(instance, host, url))) return keepsCode(reader, instanceId, url);
  if (hosts.some((host) => isAt(instance, host, url))) return true;
  return (await listLogins(reader, instanceId)).some(({ origin }) => origin === url.origin);
}

// On hosts of ours the login may stand beside our endpoints, so that there its path counts as well.
async function keepsCode(reader: Reader, instanceId: string, url: URL): Promise<boolean> {
  if (takesCode(url.pathname)) return true;
  const logins = await listLogins(reader, instanceId);
  return logins.some(({ origin, pathname }) => {
    const base = pathname.replace(/\/$/, "");
    if (origin !== url.origin || !url.pathname.startsWith(`${base}/`)) return false;
    return base !== "" || !mayLeadOn(url.pathname);
  });
}

/** Lists the addresses of logins, other than our own pages, that an instance may use. */
async function listLogins(reader: Reader, instanceId: string): Promise<URL[]> {
  const documents = await listFeatureDocuments(reader, instanceId);
  return documents.flatMap((document) => addressesIn(JSON.parse(document)));
}

/**
 * Returns whether messages may lead to an address: an origin of the instance or of a host that it trusts, the origin of
 * its login, or an origin that an application of one of the organizations has registered.
 */
export async function isLinkRegistered(
  reader: Reader,
  instance: LinkingInstance,
  { address, organizationIds }: { readonly address: string; readonly organizationIds: readonly string[] },
): Promise<boolean> {
  const url = new URL(address);
  const { instanceId } = instance;
  const hosts = await listLinkHosts(reader, instanceId);
  if (hosts.some((host) => isAt(instance, host, url))) return true;
  if ((await listLogins(reader, instanceId)).some(({ origin }) => origin === url.origin)) return true;
  return hasOrigin(reader, instanceId, { origin: url.origin, organizationIds });
}

const isOwn = (instance: LinkingInstance, host: LinkHost, url: URL): boolean =>
  host.isTrusted === 0 && isAt(instance, host, url);

const isAt = ({ origin }: LinkingInstance, { host, isTrusted }: LinkHost, url: URL): boolean =>
  originsOfHost(origin, { host, isTrusted: isTrusted === 1 }).includes(url.origin);

function addressesIn(value: unknown): URL[] {
  if (typeof value === "string") return URL.canParse(value) ? [new URL(value)] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(addressesIn) : [];
}
