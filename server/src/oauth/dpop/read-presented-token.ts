import type { Instant } from "../../base/clock.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import { type PresentedToken, readTokenHeader } from "../../bearer/index.ts";
import type { WebRequest } from "../../web/index.ts";

/**
 * Returns the token of an `Authorization` header, with the proof beside it where it was sent as a bound one (RFC 9449
 * §7.1). `spentAt`: when the proof was checked and spent, where it is asked once more.
 */
export function readPresentedToken(
  { header, method, path }: Pick<WebRequest, "header" | "method" | "path">,
  authorization: string,
  spentAt?: Instant,
): PresentedToken {
  const found = readTokenHeader(authorization);
  if (found === undefined) throw new OAuthError("invalid_token", "the access token is invalid, expired or revoked");
  const { scheme, token } = found;
  if (scheme === "bearer") return { token };
  const proof = header("dpop");
  if (proof === undefined) throw new OAuthError("invalid_dpop_proof", "the proof is missing");
  return { token, proof: { proof, method, path, spentAt } };
}
