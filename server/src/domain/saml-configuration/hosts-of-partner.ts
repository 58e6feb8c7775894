import { parseHost } from "../../base/names/host.ts";
import type { SamlPartner } from "./saml-configuration.ts";

/**
 * Returns the hosts that the metadata of a service provider names, in their canonical form: in its entity id, and where
 * assertions and messages about the end of sessions go. What the `former` metadata had for the same purpose is left
 * out; another entity id or address at the same host is not.
 */
export function hostsOfPartner(partner: SamlPartner, former?: SamlPartner): ReadonlySet<string> {
  const before = former && addressesOf(former);
  const isNew = (purpose: keyof Addresses) => (address: string) => before?.[purpose].has(address) !== true;
  const { entityId, consumers, logout } = addressesOf(partner);
  const addresses = [
    ...[...entityId].filter(isNew("entityId")),
    ...[...consumers].filter(isNew("consumers")),
    ...[...logout].filter(isNew("logout")),
  ];
  return new Set(addresses.flatMap((address) => hostIn(address) ?? []));
}

type Addresses = Readonly<Record<"entityId" | "consumers" | "logout", ReadonlySet<string>>>;

const addressesOf = ({ entityId, consumers, logout }: SamlPartner): Addresses => ({
  entityId: new Set([entityId]),
  consumers: new Set(consumers.map(({ location }) => location)),
  logout: new Set(logout.flatMap(({ location, responseLocation = location }) => [location, responseLocation])),
});

// An entity id is any text (SAML Core §8.3.6): many are an address, or a host without a scheme.
const hostIn = (text: string): string | undefined =>
  parseHost(URL.parse(text)?.hostname || (URL.parse(`https://${text}`)?.hostname ?? ""));
