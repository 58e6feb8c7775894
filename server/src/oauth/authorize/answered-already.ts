import { OAuthError } from "../error.ts";

/** A request that nobody can answer any more, as it is told to the person whose browser brought it. */
export const answeredAlready = (): OAuthError =>
  new OAuthError("invalid_request", "this sign-in was answered already, is too old, or began in another browser");
