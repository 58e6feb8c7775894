export { authorizeOrganizationFeatures, authorizeUserFeatures } from "./authorize-level.ts";
export type { StoredFeatures } from "./feature.store.ts";
export { type FeatureLevel, type Features, featureAggregate, type Switch, switches } from "./feature.ts";
export { type EffectiveFeatures, getFeatures } from "./get-features.ts";
export { createFindLoginFeature, type FindLoginFeature } from "./login-feature-reader.ts";
export { resetFeatures } from "./reset-features.ts";
export { setFeatures } from "./set-features.ts";
