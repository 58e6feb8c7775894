import { Fault } from "../../base/fault.ts";
import type { FindInstanceById } from "./find-instance-by-id.ts";

/** Returns the public origin of an instance, usually from the cache. */
export type OriginOf = (instanceId: string) => Promise<string>;

/** Creates the look-up of origins under the configured base URL. Throws `instance.not_found`. */
export function createOriginOf(configuredBaseUrl: string, findInstanceById: FindInstanceById): OriginOf {
  // Parsed once, because every request asks.
  const base = new URL(configuredBaseUrl);
  return async (instanceId) => {
    const instance = await findInstanceById(instanceId);
    if (instance === undefined) throw new Fault("not_found", "instance.not_found");
    return originUnder(base, instance);
  };
}

/**
 * Builds the public origin of an instance: scheme and port of the configured base URL, primary host of the instance. A
 * request header never decides, because links in emails would then go where an attacker wants.
 */
export function instanceOrigin(configuredBaseUrl: string, instance: { readonly primaryHost: string }): string {
  return originUnder(new URL(configuredBaseUrl), instance);
}

/**
 * Lists the origins of a host of an instance: scheme and port of the instance's own origin, and https at the default
 * port where the host is one that it trusts and does not serve. A host alone proves nothing: another port may be an
 * attacker's, and without TLS anyone on the way reads along.
 */
export function originsOfHost(
  origin: string,
  { host, isTrusted }: { readonly host: string; readonly isTrusted: boolean },
): readonly string[] {
  const own = originUnder(new URL(origin), { primaryHost: host });
  return isTrusted ? [own, `https://${host}`] : [own];
}

const originUnder = ({ protocol, port }: URL, { primaryHost }: { readonly primaryHost: string }): string =>
  `${protocol}//${primaryHost}${port === "" ? "" : `:${port}`}`;
