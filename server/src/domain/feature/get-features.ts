import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { findFeatures } from "./feature.store.ts";
import { builtInFeatures, type FeatureLevel, type Features, featureAggregate } from "./feature.ts";
import { placeOf } from "./place-of.ts";

/** Flags as they hold, and which level says so; nobody does where the source is undefined. */
export interface EffectiveFeatures {
  readonly flags: Required<Features>;
  readonly sourceOf: (flag: keyof Features) => FeatureLevel | undefined;
  /** Undefined while the level was never given a flag. */
  readonly details: Details | undefined;
}

/** The flags of a level; those that it inherits only when they are asked for. Everybody who is signed in may know them. */
export async function getFeatures(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly level: FeatureLevel; readonly inheritance: boolean },
): Promise<EffectiveFeatures> {
  requireCaller(call);
  const { level, inheritance } = input;
  const { read } = deps.database;
  const own = await findFeatures(read, placeOf(call, level).instanceId, level);
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
