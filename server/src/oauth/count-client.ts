import { OAuthError } from "../base/oauth-error.ts";
import type { Call } from "../call/index.ts";
import type { RateLimitName } from "../web/index.ts";
import type { OAuthDeps } from "./deps.ts";

/** Counts a request of an authenticated client. Throws a 429 when it exceeds its rate limit. */
export function countClient(
  { rateLimits }: Pick<OAuthDeps, "rateLimits">,
  { instanceId, now }: Call,
  name: RateLimitName,
  clientId: string,
): void {
  const retryAfter = rateLimits.ofClient({ name, instanceId, now }, clientId);
  if (retryAfter === 0) return;
  throw new OAuthError("temporarily_unavailable", "the client sends too many requests", { retryAfter });
}
