import { createCache, type Database } from "../../database/index.ts";
import { findFeatures } from "./feature.store.ts";
import { builtInFeatures, type Features } from "./feature.ts";

export type LoginFeature = NonNullable<Features["loginV2"]>;

/** Tells which login the instance wants for its applications, as it says itself or inherits: for every request, whoever asks. */
export type FindLoginFeature = (instanceId: string) => Promise<LoginFeature>;

/** Makes the look-up, which authorization requests wait for; keeps what it read until some flag changes. */
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
    // Flags change once in a while, and those of the system hold for every instance.
    isStaleAfter: () => true,
  });
  return async (instanceId) => (await cache.get(instanceId)) ?? builtInFeatures.loginV2;
}
