export type { PaidSamlKeyDeps, SamlKeyDeps } from "./add-saml-key.ts";
export { deleteSamlKey } from "./delete-saml-key.ts";
export { listSamlKeys, type PlannedSamlKey } from "./list-saml-keys.ts";
export { replaceSamlKey } from "./replace-saml-key.ts";
export { rotateSamlKeys } from "./rotate-saml-keys.ts";
export { listInstancesWithSamlKeys } from "./saml-key.store.ts";
export { type SamlKeyState, samlMetadataLifetime } from "./saml-key.ts";
export { createSamlKeyRing, type SamlKeyRing } from "./saml-key-ring.ts";
export { startSamlKeyRotation } from "./start-saml-key-rotation.ts";
