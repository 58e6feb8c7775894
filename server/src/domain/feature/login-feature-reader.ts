import { createCache, type Database } from "../../database/index.ts";
import { findFeatures } from "./feature.store.ts";
import { builtInFeatures, type Features } from "./feature.ts";

type LoginFeature = NonNullable<Features["loginV2"]>;

/**
 * Returns which login the instance uses for its applications, set or inherited: for every request, without
 * authorization.
 */
export type FindLoginFeature = (instanceId: string) => Promise<LoginFeature>;

/** Creates the look-up, which authorization requests wait for; caches each instance until some flag changes. */
export function createFindLoginFeature({ database }: { readonly database: Database }): FindLoginFeature {
  const cache = createCache<LoginFeature>(database, {
    load: async (instanceId) => {
      const { read } = database;
      const [own, above] = await Promise.all([
        findFeatures(read, instanceId, "instance"),
        findFeatures(read, "", "system"),
      ]);
      return own?.flags.loginV2 ?? above?.flags.loginV2 ?? builtInFeatures.loginV2;
    },
    aggregateTypes: ["feature"],
    // Flags change rarely, and those of the system apply to every instance.
    isStaleAfter: () => true,
    // An address.
    lengthOf: "bounded",
  });
  return async (instanceId) => (await cache.get(instanceId)) ?? builtInFeatures.loginV2;
}
