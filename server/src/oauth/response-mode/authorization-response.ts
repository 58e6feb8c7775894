import type { WebResponse } from "../../web/index.ts";
import type { ResponseMode } from "./response-mode.ts";

/** An answer of the authorization endpoint on its way to the client. */
export interface AuthorizationResponse {
  /** Proven to be the client's. */
  readonly redirectUri: string;
  readonly responseMode: ResponseMode;
  readonly parameters: Readonly<Record<string, string>>;
  /** Languages that the request asked for, for the page that posts the answer on. */
  readonly uiLocales?: readonly string[] | undefined;
}

/** Address that carries an answer to the client, in its query or in its fragment. */
export function responseUrl({ redirectUri, responseMode, parameters }: UrlResponse): string {
  return responseMode === "fragment"
    ? `${redirectUri}#${new URLSearchParams(parameters).toString()}`
    : appendQuery(redirectUri, parameters);
}

/** An address with parameters added to the query that it has already (RFC 6749 §4.1.2). */
export function appendQuery(uri: string, parameters: Readonly<Record<string, string>>): string {
  const separator = !uri.includes("?") ? "?" : /[?&]$/.test(uri) ? "" : "&";
  return uri + separator + new URLSearchParams(parameters).toString();
}

/** An answer that an address can carry. */
export type UrlResponse = AuthorizationResponse & { readonly responseMode: "query" | "fragment" };

/** Sends the browser there: 303, so that no method and no body goes along (RFC 9700 §4.12). */
export function redirect(url: string, headers: Readonly<Record<string, string | readonly string[]>> = {}): WebResponse {
  return {
    status: 303,
    headers: { location: url, "cache-control": "no-store", "referrer-policy": "no-referrer", ...headers },
  };
}
