import { hash } from "node:crypto";
import { toNumericDate } from "../../base/clock.ts";
import type { LogoutNotice } from "../../domain/logout-notice/index.ts";

const lifetimeSeconds = 120;

/**
 * Returns the claims of a logout token (OpenID Connect Back-Channel Logout 1.0 §2.4). `jti` is the same in all attempts
 * for one logout, so that a client whose response was lost recognizes the repetition.
 */
export function logoutTokenClaims(issuer: string, notice: LogoutNotice, now: number): object {
  const { instanceId, sessionId, clientId, userId, createdAt } = notice;
  const iat = toNumericDate(now);
  return {
    iss: issuer,
    sub: userId,
    aud: clientId,
    iat,
    exp: iat + lifetimeSeconds,
    jti: hash("sha256", `${instanceId} ${sessionId} ${clientId} ${createdAt}`, "base64url").slice(0, 27),
    sid: sessionId,
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  };
}
