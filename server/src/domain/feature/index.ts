export { createFindLoginFeature, type FindLoginFeature } from "./login-feature-reader.ts";
export { setFeatures } from "./set-features.ts";
