import { parseHost } from "../../base/names/host.ts";
import type { SamlPartner } from "./saml-configuration.ts";

/**
 * Returns the hosts that the metadata of a service provider names, in their canonical form: in its entity id, and where
 * assertions and messages about the end of sessions go.
 */
export function hostsOfPartner({ entityId, consumers, logout }: SamlPartner): ReadonlySet<string> {
  const addresses = [
    entityId,
    ...consumers.map(({ location }) => location),
    ...logout.flatMap(({ location, responseLocation = location }) => [location, responseLocation]),
  ];
  return new Set(addresses.flatMap((address) => hostIn(address) ?? []));
}

// An entity id is any text (SAML Core §8.3.6): many are an address, or a host without a scheme.
const hostIn = (text: string): string | undefined =>
  parseHost(URL.parse(text)?.hostname || (URL.parse(`https://${text}`)?.hostname ?? ""));
