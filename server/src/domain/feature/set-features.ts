import { isDeepStrictEqual } from "node:util";
import { type Call, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { authorizeInstance, callIn } from "../instance/index.ts";
import { callAtLevel, featurePermission } from "./call-at-level.ts";
import { holdFeatures, insertFeatures, type StoredFeatures, updateFeatures } from "./feature.store.ts";
import { checkFeatures, type FeatureLevel, type Features, featureAggregate } from "./feature.ts";

/**
 * Sets the given flags and keeps the others. Flags with their current values change nothing; undefined when none are
 * given or stored.
 */
export async function setFeatures(
  deps: { readonly database: Database },
  call: Call,
  input: {
    readonly level: FeatureLevel;
    readonly flags: Features;
    /** An instance named by a system user; the instance of the request when absent. */
    readonly instanceId?: string;
  },
): Promise<StoredFeatures | undefined> {
  const { level, flags, instanceId } = input;
  if (instanceId === undefined) requirePermission(call, featurePermission(level, "write"), {});
  checkFeatures(flags);
  return deps.database.change(callAtLevel(callIn(call, instanceId), level), async (tx) => {
    if (instanceId !== undefined) {
      await authorizeInstance(tx, call, instanceId, { systemPermission: "system.feature.write" });
    }
    if (Object.keys(flags).length === 0) return holdFeatures(tx, level);
    // Before it is locked: of two callers who set the first flags concurrently, neither may overwrite the other's.
    await insertFeatures(tx, level);
    const stored = await holdFeatures(tx, level);
    const wanted = { ...stored?.flags, ...flags };
    if (stored !== undefined && isDeepStrictEqual(stored.flags, wanted)) return stored;
    const changed = await updateFeatures(tx, level, wanted);
    tx.record({
      type: level === "system" ? "feature.system.set" : "feature.instance.set",
      ...featureAggregate(level, tx.instanceId),
      sequence: changed.details.sequence,
      payload: { ...flags },
    });
    return changed;
  });
}
