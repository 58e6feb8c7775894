import type { Language } from "../base/language.ts";
import { endpointPaths, type OAuthError, UntrustedRequest } from "../oauth/index.ts";
import type { WebRequest, WebResponse } from "../web/index.ts";
import type { PageDeps } from "./deps.ts";
import type { PageError } from "./login/views/error.ts";
import { answerError } from "./visit/show-error.ts";

type Deps = Pick<PageDeps, "texts" | "assets" | "clock" | "isDevelopment">;

/** A failure outside of a handler: no such page, a body that was refused, a crash. */
export interface PageFailure {
  readonly language: Language;
  readonly status: number;
  readonly requestId: string;
}

/** Words failures as pages for people. `origin` is the configured one: the instance may be what was not found. */
export const createPageFailure =
  (deps: Deps, origin: string) =>
  ({ language, status, requestId }: PageFailure): WebResponse =>
    answerError(deps, { language, requestId, origin, status, error: errorOf(status) });

function errorOf(status: number): PageError {
  if (status === 404 || status === 405) return "not_found";
  if (status === 429) return "too_many_requests";
  if (status === 503) return "unavailable";
  return status >= 500 ? "internal" : "request_invalid";
}

const untrusted = {
  "authorize.client_unknown": "client_unknown",
  "authorize.redirect_uri_missing": "request_invalid",
  "authorize.redirect_uri_mismatch": "redirect_uri_invalid",
} as const satisfies Record<UntrustedRequest["slug"], PageError>;

/** Shows a protocol request that may not leave the server. What is registered is told to developers only. */
export const createUntrustedPage =
  (deps: Deps) =>
  (request: WebRequest, reason: UntrustedRequest | OAuthError): WebResponse => {
    const { language, requestId } = request.call;
    const { origin } = request.instance;
    const common = { language, requestId, origin };
    if (!(reason instanceof UntrustedRequest)) {
      const isResuming = [endpointPaths.authorizationCallback, endpointPaths.authorizationResponse].some(
        (path) => path === request.path,
      );
      const error = isResuming ? "request_expired" : "request_invalid";
      return answerError(deps, { ...common, error, detail: reason.description });
    }
    const { client, redirectUri, slug } = reason;
    const received = new URLSearchParams(request.query).get("client_id") ?? undefined;
    const name = client?.name ?? received;
    return answerError(deps, {
      ...common,
      error: untrusted[slug],
      client: name === undefined ? undefined : { name },
      detail: slug === "authorize.redirect_uri_missing" ? "parameter redirect_uri is missing" : undefined,
      redirectUri:
        deps.isDevelopment && client !== undefined && redirectUri !== undefined
          ? { received: redirectUri, registered: client.redirectUris }
          : undefined,
    });
  };
