import { type Call, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { callAtLevel, featurePermission } from "./call-at-level.ts";
import { holdFeatures, type StoredFeatures, updateFeatures } from "./feature.store.ts";
import { type FeatureLevel, featureAggregate } from "./feature.ts";

/** Removes all flags of a level, so that those of the level above apply. Without any flags, nothing changes. */
export async function resetFeatures(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly level: FeatureLevel },
): Promise<StoredFeatures | undefined> {
  const { level } = input;
  requirePermission(call, featurePermission(level, "delete"), {});
  return deps.database.change(callAtLevel(call, level), async (tx) => {
    const stored = await holdFeatures(tx, level);
    if (stored === undefined || Object.keys(stored.flags).length === 0) return stored;
    const changed = await updateFeatures(tx, level, {});
    tx.record({
      type: level === "system" ? "feature.system.reset" : "feature.instance.reset",
      ...featureAggregate(level, tx.instanceId),
      sequence: changed.details.sequence,
    });
    return changed;
  });
}
