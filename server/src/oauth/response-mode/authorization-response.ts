import { appendQuery, type WebResponse } from "../../web/index.ts";
import type { ResponseMode } from "./response-mode.ts";

/** A response of the authorization endpoint to the client. */
export interface AuthorizationResponse {
  /** Proven to belong to the client. */
  readonly redirectUri: string;
  readonly responseMode: ResponseMode;
  readonly parameters: Readonly<Record<string, string>>;
  /** Requested languages, for the page that posts the response to the client. */
  readonly uiLocales?: readonly string[] | undefined;
  /** Of a sign-in that tries the application: the response is for its administrator. */
  readonly testId?: string;
}

/** Returns the address that carries a response to the client, in its query or fragment. */
export function responseUrl({ redirectUri, responseMode, parameters }: UrlResponse): string {
  return responseMode === "fragment"
    ? `${redirectUri}#${new URLSearchParams(parameters).toString()}`
    : appendQuery(redirectUri, parameters);
}

/** A response that fits into an address. */
export type UrlResponse = AuthorizationResponse & { readonly responseMode: "query" | "fragment" };

/** Redirects with 303, so that method and body are not forwarded (RFC 9700 §4.12). */
export function redirect(url: string, headers: Readonly<Record<string, string | readonly string[]>> = {}): WebResponse {
  return {
    status: 303,
    headers: { location: url, "cache-control": "no-store", "referrer-policy": "no-referrer", ...headers },
  };
}
