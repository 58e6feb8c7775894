export type { SamlKeyDeps } from "./add-saml-key.ts";
export { rotateSamlKeys } from "./rotate-saml-keys.ts";
export { listInstancesWithSamlKeys } from "./saml-key.store.ts";
export { createSamlKeyRing, type SamlKeyRing } from "./saml-key-ring.ts";
