import type { Call } from "../../call/index.ts";
import { longestReferenceLifetime, type RequestReference } from "../../domain/auth-request/index.ts";
import type { OAuthDeps } from "../deps.ts";

/**
 * Returns the reference of a request that is answered now, with the time until which another request of the same
 * reference could still be waiting for its answer.
 */
export async function toReference(
  { settings }: Pick<OAuthDeps, "settings">,
  { instanceId, now }: Call,
  referenceHash: string,
): Promise<RequestReference> {
  const oidc = await settings.get("oidc", { instanceId });
  const waiting = oidc.settings.authRequestLifetimeSeconds * 1000;
  return { referenceHash, expiresAt: now + longestReferenceLifetime + waiting };
}
