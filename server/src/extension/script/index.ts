export { createLatePool, createLateSignInScripts } from "./late.ts";
export { createSamlScripts, type SamlScripts } from "./saml-scripts.ts";
export { createScriptLog } from "./script-log.ts";
export { createTokenScripts, type TokenScripts } from "./token-scripts.ts";
