import { parseHost } from "../../base/names/host.ts";
import { createCache, type Database } from "../../database/index.ts";
import { findInstanceOfHost } from "./instance.store.ts";
import type { Instance } from "./instance.ts";

/** Finds the instance that a host reaches; synchronous when it is cached. */
export type FindInstanceByHost = (host: string) => Instance | undefined | Promise<Instance | undefined>;

/**
 * Finds instances by host, with or without a port. Every event of an instance or its limits invalidates its cached
 * entries.
 */
export function createFindInstanceByHost(deps: { readonly database: Database }): FindInstanceByHost {
  // Keyed by the unparsed text, because parsing costs more than everything else here.
  const instances = createCache<Instance>(deps.database, {
    load: async (text) => {
      const host = parseHost(text);
      return host === undefined ? undefined : findInstanceOfHost(deps.database.read, host);
    },
    aggregateTypes: ["instance", "limits"],
    isStaleAfter: (event, instance) => event.instanceId === instance.instanceId,
    lengthOf: "bounded",
  });
  return (text) => instances.get(withoutPort(text));
}

// Whatever port a request names, the host has one entry: otherwise one stranger could push out those of other
// instances.
function withoutPort(text: string): string {
  const colon = text.lastIndexOf(":");
  const port = colon < 0 ? "" : text.slice(colon + 1);
  const host = text.slice(0, Math.max(0, colon));
  const isPort = /^\d{1,5}$/.test(port) && Number(port) <= 65_535;
  // One port is taken off, so that what has two is not a host.
  return isPort && (!host.includes(":") || host.endsWith("]")) ? host : text;
}
