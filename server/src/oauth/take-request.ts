import { Fault } from "../base/fault.ts";
import { OAuthError } from "../base/oauth-error.ts";
import type { Call } from "../call/index.ts";
import type { OAuthDeps } from "./deps.ts";

/** Counts a request with a valid token. Throws a 429 when the quota of the instance is used up. */
export async function takeRequest({ quotaMeter }: Pick<OAuthDeps, "quotaMeter">, call: Call): Promise<void> {
  try {
    await quotaMeter.takeRequest(call);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "resource_exhausted") throw error;
    const { seconds } = error.values;
    const retryAfter = typeof seconds === "number" ? { retryAfter: seconds } : {};
    throw new OAuthError("temporarily_unavailable", "the quota of the instance is used up", retryAfter);
  }
}
