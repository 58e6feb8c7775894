import { Fault } from "../../base/fault.ts";
import type { FindInstanceById } from "./find-instance-by-id.ts";

/** Tells the public origin of an instance; from memory as a rule. */
export type OriginOf = (instanceId: string) => Promise<string>;

/** Tells origins under the configured base URL. Throws `instance.not_found`. */
export const createOriginOf =
  (configuredBaseUrl: string, findInstanceById: FindInstanceById): OriginOf =>
  async (instanceId) => {
    const instance = await findInstanceById(instanceId);
    if (instance === undefined) throw new Fault("not_found", "instance.not_found");
    return instanceOrigin(configuredBaseUrl, instance);
  };

/**
 * Public origin of an instance: scheme and port of the configured base URL, primary host of the instance. Never what a request
 * header says, because links that are mailed would then go where a stranger wants.
 */
export function instanceOrigin(configuredBaseUrl: string, instance: { readonly primaryHost: string }): string {
  const { protocol, port } = new URL(configuredBaseUrl);
  return `${protocol}//${instance.primaryHost}${port === "" ? "" : `:${port}`}`;
}
