import { type BlockList, isIP } from "node:net";
import { parseDomain } from "../names/host.ts";
import { isPublicAddress } from "./address.ts";
import { blockListOf, contains, isNetwork } from "./network.ts";

/** Where a request goes, before its name is resolved. */
interface Destination {
  /** Lower case, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Decides which addresses a request may reach. */
export interface AllowList {
  /** Whether a request to this host may connect to this address: public ones by TLS, and those of the operator. */
  mayReach(target: Destination & { readonly isPlain: boolean }, address: string): boolean;
  /** Whether the operator allowed the host or the address, with any port or with this one. */
  isAllowed(target: Destination, address: string): boolean;
  /** Whether an entry for the host or the address names this exact port. */
  namesPort(target: Destination, address: string): boolean;
  /** Whether any entry names this port. */
  knowsPort(port: number): boolean;
  /** Whether the operator allowed this exact host, so that it may be reached without TLS whatever its address is. */
  isOpen(target: Destination): boolean;
}

/**
 * Allows the public internet by TLS, and the operator's exceptions: networks (`10.1.0.0/16`, `::1`), hosts
 * (`hooks.internal`) and all names below a domain (`*.internal`), each with any port, or a host or address with one
 * port (`mail.internal:2526`, `[::1]:1025`). Exceptions may be reached without TLS too: they are the operator's own
 * network.
 */
export function createAllowList(entries: readonly string[]): AllowList {
  const parsed = entries.map(parseEntry);
  const networks = blockListOf(parsed.filter(({ port, name }) => port === undefined && isNetwork(name)).map(nameOf));
  const names = parsed.filter(({ port, name }) => port === undefined && !isNetwork(name)).map(nameOf);
  const withPort = parsed.flatMap(({ name, port }): PortEntry[] =>
    port === undefined ? [] : [{ name, port, addresses: blockListOf(isIP(name) === 0 ? [] : [name]) }],
  );
  const isOpenHost = (host: string): boolean => names.some((name) => covers(name, host));
  const isOpenAddress = (address: string): boolean => contains(networks, address);
  const namesPort: AllowList["namesPort"] = ({ host, port }, address) =>
    withPort.some((entry) => entry.port === port && (covers(entry.name, host) || contains(entry.addresses, address)));
  const isAllowed: AllowList["isAllowed"] = (target, address) =>
    isIP(address) !== 0 && (isOpenHost(target.host) || isOpenAddress(address) || namesPort(target, address));
  return {
    isAllowed,
    namesPort,
    knowsPort: (port) => withPort.some((entry) => entry.port === port),
    // RFC 6761 §6.3: `localhost` is this machine and nothing else.
    isOpen: (target) =>
      isOpenHost(target.host) ||
      isOpenAddress(target.host) ||
      namesPort(target, target.host) ||
      (target.host === "localhost" && isAllowed(target, "127.0.0.1")),
    mayReach: (target, address) => {
      if (isIP(address) === 0) return false;
      return isAllowed(target, address) || (!target.isPlain && isPublicAddress(address));
    },
  };
}

/** Whether a text is a valid entry of the list: a network, an address, a host, or `*.` and a domain; or with a port. */
export function isAllowEntry(text: string): boolean {
  const { name, port } = parseEntry(text);
  if (port !== undefined && (port < 1 || port > 65_535)) return false;
  if (isNetwork(name)) return port === undefined || !name.includes("/");
  if (name.includes("/") || name.includes(":")) return false;
  return parseDomain(name.startsWith("*.") ? name.slice(2) : name) !== undefined;
}

interface PortEntry {
  readonly name: string;
  readonly port: number;
  readonly addresses: BlockList;
}

interface Entry {
  readonly name: string;
  readonly port: number | undefined;
}

const nameOf = ({ name }: Entry): string => name;

// An IPv6 address is full of colons: it has a port only behind brackets.
function parseEntry(text: string): Entry {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const name = bracketed ?? plain;
  return name === undefined
    ? { name: text.toLowerCase(), port: undefined }
    : { name: name.toLowerCase(), port: Number(digits) };
}

const covers = (name: string, host: string): boolean =>
  name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
