import { Fault } from "../../base/fault.ts";
import { parseDomain } from "../../base/names/host.ts";
import { isLocalhostName } from "../../base/outbound/index.ts";
import type { Reader } from "../../database/index.ts";
import { listSignInHosts } from "../instance/index.ts";

/** The relying party of credentials: a host of the instance, and the hosts with origins that may ask for them. */
export interface RelyingParty {
  readonly id: string;
  /** Hosts of the instance that belong to it: the host itself, and hosts below it. */
  readonly hosts: readonly string[];
}

/**
 * Returns the relying party of a domain, or of the primary host of the instance. Rejects domains that are not
 * registered for the instance, because credentials for them belong to other parties: also a trusted host that reaches
 * another instance, below whose host this one may be.
 */
export async function chooseRelyingParty(
  reader: Reader,
  instanceId: string,
  { domain, field }: { readonly domain: string; readonly field: string },
): Promise<RelyingParty> {
  const all = await listSignInHosts(reader, instanceId);
  const id = domain === "" ? all[0] : parseDomain(domain);
  if (id === undefined || !all.includes(id)) throw new Fault("invalid_argument", "factor.domain_foreign", { field });
  return { id, hosts: all.filter((host) => host === id || host.endsWith(`.${id}`)) };
}

/**
 * Whether a page of this origin may ask for credentials of the relying party: https at the port of the instance or at
 * the default port. On localhost, where applications are developed, any port and no TLS are accepted (W3C Secure
 * Contexts §3.1).
 */
export function isOriginOf({ hosts }: RelyingParty, origin: string, port: string): boolean {
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin || !hosts.includes(url.hostname)) return false;
  if (isLocalhostName(url.hostname)) return url.protocol === "https:" || url.protocol === "http:";
  return url.protocol === "https:" && (url.port === "" || url.port === port);
}
