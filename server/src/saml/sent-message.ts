import { OAuthError } from "../base/oauth-error.ts";
import { isWithoutCookies, type Parameters, parseForm } from "../oauth/index.ts";
import { isBrowserNew, type WebRequest, type WebResponse } from "../web/index.ts";
import type { SamlEndpointDeps } from "./deps.ts";

/** A message as it came to an endpoint. */
export interface SentMessage {
  readonly binding: "redirect" | "post";
  /** The fields of a form; empty for a query, which is read as it came. */
  readonly parameters: Parameters;
  /** Which of the two parameters carries the message. */
  readonly parameter: "SAMLRequest" | "SAMLResponse";
}

/** Finds out by which binding a message came. Throws an OAuthError when there is none, or more than one. */
export function readSent(request: WebRequest): SentMessage {
  const isPost = request.method === "POST";
  const parameters = isPost ? parseForm(request.header("content-type"), request.body) : new Map<string, string>();
  const names = isPost ? [...parameters.keys()] : [...new URLSearchParams(request.query).keys()];
  const found = (["SAMLRequest", "SAMLResponse"] as const).filter((name) => names.includes(name));
  const [parameter, ...others] = found;
  if (parameter === undefined || others.length > 0) {
    throw new OAuthError("invalid_request", "exactly one of SAMLRequest and SAMLResponse is needed");
  }
  return { binding: isPost ? "post" : "redirect", parameters, parameter };
}

const relayed = "doorward_relayed";

/**
 * Has the browser send the same form with its cookie, from a page of ours: a browser withholds it (SameSite=Lax) from
 * what another site posts. Undefined when the request has what is needed.
 */
export async function askWithCookies(
  deps: SamlEndpointDeps,
  request: WebRequest,
  { binding, parameters }: SentMessage,
): Promise<WebResponse | undefined> {
  if (binding !== "post" || !isWithoutCookies(request) || isBrowserNew(request)) return undefined;
  if (parameters.has(relayed)) {
    return deps.renderUntrusted(request, new OAuthError("invalid_request", "the browser sends no cookies"));
  }
  const target = request.instance.origin + request.path;
  return deps.renderFormPost(request, {
    target,
    parameters: { ...Object.fromEntries(parameters), [relayed]: "1" },
    uiLocales: [],
  });
}
