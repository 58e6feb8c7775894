import { isIP } from "node:net";
import { blockListOf, contains } from "./network.ts";

const loopback = blockListOf(["127.0.0.0/8", "::1"]);

/** Whether an address is this machine's own, in any spelling that a socket gives (`::ffff:127.0.0.1` too). */
export const isLoopbackAddress = (address: string): boolean => contains(loopback, address);

/**
 * Whether the host of a URI, as the URL parser writes it, is the machine that opens the URI: 127.0.0.0/8, `[::1]`, and
 * the name `localhost` (RFC 8252 §7.3 and §8.3). Names below `localhost` are not, because resolvers that do not follow
 * RFC 6761 §6.3 ask the DNS for them, and a code or a token would leave the machine.
 */
export const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || (isIP(host) === 4 && isLoopbackAddress(host));

/**
 * Whether a name is `localhost` or below it. Browsers connect to this machine for these names without asking the DNS
 * (Secure Contexts §3.1), and so does this server (RFC 6761 §6.3): each instance in development can have its own.
 */
export const isLocalhostName = (name: string): boolean => name === "localhost" || name.endsWith(".localhost");
