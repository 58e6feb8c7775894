import { parseHost } from "../names/host.ts";

/** Where a directory listens, and whether it speaks TLS from the first byte. */
export interface LdapAddress {
  /** Name or address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

const defaultPorts = { ldap: 389, ldaps: 636 } as const;

/**
 * Parses the address of a server: scheme, host and an optional port (RFC 4516, without the parts that name entries).
 * Returns undefined for any other text.
 */
export function parseLdapAddress(text: string): LdapAddress | undefined {
  const [, scheme = "", name = "", digits] =
    /^(ldaps?):\/\/(\[[^\]]*\]|[^:/[\]]+)(?::(\d{1,5}))?\/?$/i.exec(text) ?? [];
  const host = parseHost(name);
  if (host === undefined) return undefined;
  const isSecure = scheme.toLowerCase() === "ldaps";
  const port = digits === undefined ? defaultPorts[isSecure ? "ldaps" : "ldap"] : Number(digits);
  if (port < 1 || port > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ""), port, isSecure };
}
