export type { ExternalAttempt } from "./external-attempt.ts";
export { signInExternally } from "./sign-in-externally.ts";
