import { OAuthError } from "../../../base/oauth-error.ts";
import type { Asked } from "../asked.ts";

/** Refuses a request object that is left: those that are supported here were read before. */
export function refuseLeftObjects({ parameters }: Pick<Asked, "parameters">): void {
  if (parameters.has("request")) throw new OAuthError("request_not_supported", "a request object is not expected here");
  if (parameters.has("request_uri")) {
    throw new OAuthError("request_uri_not_supported", "request objects by reference are not supported");
  }
}
