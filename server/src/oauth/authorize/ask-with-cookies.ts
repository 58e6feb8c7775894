import { OAuthError } from "../../base/oauth-error.ts";
import { isBrowserNew, readBrowser, type WebRequest, type WebResponse } from "../../web/index.ts";
import type { Parameters } from "../parameters.ts";
import { redirect } from "../response-mode/authorization-response.ts";
import type { AuthorizeDeps } from "./authorize-deps.ts";
import { readUiLocales } from "./read-ui-locales.ts";

/**
 * Whether a browser withheld its cookie (SameSite=Lax), because another site posted the form. It would seem to be a new
 * browser without sessions, and get another secret in place of its own.
 */
export const isWithoutCookies = (request: WebRequest): boolean =>
  request.method === "POST" && readBrowser(request) === undefined && !isBrowserNew(request);

const longestQuery = 8_000;
const relayed = "doorward_relayed";

/**
 * Has the browser send the same request with its cookie: as a GET or, when it is too long for an address, from a page
 * of ours. A browser that sends none from there either is not given one.
 */
export async function askWithCookies(deps: AuthorizeDeps, request: WebRequest, sent: Parameters): Promise<WebResponse> {
  if (request.body.length <= longestQuery) return redirect(asGet(request.path, sent));
  if (sent.has(relayed)) {
    return deps.renderUntrusted(request, new OAuthError("invalid_request", "the browser sends no cookies"));
  }
  const target = request.instance.origin + request.path;
  const parameters = { ...Object.fromEntries(sent), [relayed]: "1" };
  return deps.renderFormPost(request, { target, parameters, uiLocales: readUiLocales(sent) });
}

const asGet = (path: string, parameters: Parameters): string =>
  `${path}?${new URLSearchParams([...parameters]).toString()}`;
