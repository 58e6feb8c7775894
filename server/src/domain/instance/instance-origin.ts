import { Fault } from "../../base/fault.ts";
import type { FindInstanceById } from "./find-instance-by-id.ts";

/** Returns the public origin of an instance, usually from the cache. */
export type OriginOf = (instanceId: string) => Promise<string>;

/** Creates the look-up of origins under the configured base URL. Throws `instance.not_found`. */
export const createOriginOf =
  (configuredBaseUrl: string, findInstanceById: FindInstanceById): OriginOf =>
  async (instanceId) => {
    const instance = await findInstanceById(instanceId);
    if (instance === undefined) throw new Fault("not_found", "instance.not_found");
    return instanceOrigin(configuredBaseUrl, instance);
  };

/**
 * Builds the public origin of an instance: scheme and port of the configured base URL, primary host of the instance. A
 * request header never decides, because links in emails would then go where an attacker wants.
 */
export function instanceOrigin(configuredBaseUrl: string, instance: { readonly primaryHost: string }): string {
  const { protocol, port } = new URL(configuredBaseUrl);
  return `${protocol}//${instance.primaryHost}${port === "" ? "" : `:${port}`}`;
}
