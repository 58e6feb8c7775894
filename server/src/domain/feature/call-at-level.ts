import type { Call } from "../../call/index.ts";
import type { FeatureLevel } from "./feature.ts";

/** Returns the call in the scope that has the flags: those of the system belong to no instance. */
export const callAtLevel = (call: Call, level: FeatureLevel): Call =>
  level === "system" ? { ...call, instanceId: "" } : call;

/** Returns the permission that changing the flags of a level requires. */
export const featurePermission = (level: FeatureLevel, verb: "write" | "delete"): string =>
  level === "system" ? `system.feature.${verb}` : `iam.feature.${verb}`;
