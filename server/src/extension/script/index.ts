export { createSamlScripts, type SamlScripts } from "./saml-scripts.ts";
export { createScriptLog } from "./script-log.ts";
export { createScriptPool } from "./script-pool.ts";
export { createSignInScripts } from "./sign-in-scripts.ts";
export { createTokenScripts, type TokenScripts } from "./token-scripts.ts";
