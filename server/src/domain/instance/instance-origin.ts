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

const originUnder = ({ protocol, port }: URL, { primaryHost }: { readonly primaryHost: string }): string =>
  `${protocol}//${primaryHost}${port === "" ? "" : `:${port}`}`;
