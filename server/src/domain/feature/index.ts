export type { FeatureLevel, Features } from "./feature.ts";
export { type EffectiveFeatures, getFeatures } from "./get-features.ts";
export { createFindLoginFeature, type FindLoginFeature, type LoginFeature } from "./login-feature-reader.ts";
export { resetFeatures } from "./reset-features.ts";
export { setFeatures } from "./set-features.ts";
