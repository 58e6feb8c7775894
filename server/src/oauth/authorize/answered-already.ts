import { OAuthError } from "../../base/oauth-error.ts";

/** Returns the error for a request that was already answered, as the user's browser shows it. */
export const answeredAlready = (): OAuthError =>
  new OAuthError("invalid_request", "this sign-in was answered already, is too old, or began in another browser");
