import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { callAtLevel } from "./call-at-level.ts";
import { findFeatures } from "./feature.store.ts";
import { builtInFeatures, type FeatureLevel, type Features, featureAggregate } from "./feature.ts";

/** The effective flags, and the level that sets each; undefined where none does. */
export interface EffectiveFeatures {
  readonly flags: Required<Features>;
  readonly sourceOf: (flag: keyof Features) => FeatureLevel | undefined;
  /** Undefined when no flag was ever set at the level. */
  readonly details: Details | undefined;
}

/** Returns the flags of a level; the inherited ones only on request. Every authenticated caller may read them. */
export async function getFeatures(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly level: FeatureLevel; readonly inheritance: boolean },
): Promise<EffectiveFeatures> {
  requireCaller(call);
  const { level, inheritance } = input;
  const { read } = deps.database;
  const own = await findFeatures(read, callAtLevel(call, level).instanceId, level);
  const above = level === "instance" && inheritance ? await findFeatures(read, "", "system") : undefined;
  const { ownerId } = featureAggregate(level, call.instanceId);
  return {
    flags: { ...builtInFeatures, ...above?.flags, ...own?.flags },
    sourceOf: (flag) => {
      if (own?.flags[flag] !== undefined) return level;
      return above?.flags[flag] === undefined ? undefined : "system";
    },
    details: own && { ...own.details, ownerId },
  };
}
