import type { WebRequest, WebResponse } from "../../../web/index.ts";
import { cookieName, parseCookies, serializeCookie } from "../../../web/index.ts";

const cookie = "provider";
const aYear = 365 * 86_400;

const isSecure = ({ instance }: WebRequest): boolean => instance.origin.startsWith("https:");

/** Returns the provider of the last sign-in in this browser. Only the browser remembers it. */
export const lastProvider = (request: WebRequest): string | undefined =>
  parseCookies(request.header("cookie")).get(cookieName(cookie, isSecure(request)));

/** Adds the cookie by which the browser remembers the provider. */
export function rememberProvider(response: WebResponse, request: WebRequest, identityProviderId: string): WebResponse {
  const mark = serializeCookie(cookie, identityProviderId, { isSecure: isSecure(request), maxAgeSeconds: aYear });
  const set = response.headers["set-cookie"] ?? [];
  return {
    ...response,
    headers: { ...response.headers, "set-cookie": [...(typeof set === "string" ? [set] : set), mark] },
  };
}
