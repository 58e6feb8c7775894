import { OAuthError } from "../../../base/oauth-error.ts";
import type { Asked } from "../asked.ts";
import type { Settled } from "../authorization-request.ts";

/** Checks `max_age`, in seconds (OpenID Connect Core §3.1.2.1). */
export function checkMaxAge({ parameters }: Pick<Asked, "parameters">): Settled<"maxAge"> {
  const maxAge = parameters.get("max_age");
  if (maxAge === undefined) return { maxAge };
  if (!/^\d{1,10}$/.test(maxAge)) throw new OAuthError("invalid_request", "max_age must be a number of seconds");
  return { maxAge: Number(maxAge) };
}
