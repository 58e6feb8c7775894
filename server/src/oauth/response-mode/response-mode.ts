import type { WebResponse } from "../../web/index.ts";

/** How the parameters of an authorization response travel (OAuth 2.0 Multiple Response Type Encoding Practices §2.1). */
export const responseModes = ["query"] as const;
export type ResponseMode = (typeof responseModes)[number];

/** The mode of a request: what was asked for, when we have it, else the default of the response type. Unknown values are ignored. */
export function chooseResponseMode(requested: string | undefined): ResponseMode {
  return responseModes.find((mode) => mode === requested) ?? "query";
}

/** Address that carries the parameters to the client, added to the query that the redirect URI has already (RFC 6749 §4.1.2). */
export function responseUrl(
  redirectUri: string,
  _mode: ResponseMode,
  parameters: Readonly<Record<string, string>>,
): string {
  const hasQuery = redirectUri.includes("?");
  const separator = !hasQuery ? "?" : /[?&]$/.test(redirectUri) ? "" : "&";
  return `${redirectUri}${separator}${new URLSearchParams(parameters).toString()}`;
}

/** Sends the browser there: 303, so that no method and no body goes along (RFC 9700 §4.12). */
export function redirect(url: string, headers: Readonly<Record<string, string | readonly string[]>> = {}): WebResponse {
  return {
    status: 303,
    headers: { location: url, "cache-control": "no-store", "referrer-policy": "no-referrer", ...headers },
  };
}
