import { OAuthError } from "../../base/oauth-error.ts";

/**
 * Returns the token of an `Authorization: Bearer` header (RFC 6750 §2.1); undefined without such a header. Refuses a
 * malformed one.
 */
export function readBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !/^bearer(?: |$)/i.test(authorization)) return undefined;
  const token = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization)?.[1];
  if (token === undefined) throw new OAuthError("invalid_token", "the access token is malformed");
  return token;
}
