import type { Language } from "../base/language.ts";
import { endpointPaths, type WebRequest, type WebResponse } from "../web/index.ts";
import type { PageDeps } from "./deps.ts";
import type { PageError } from "./error/view.ts";
import { answerError, isOfAccount } from "./visit/show-error.ts";

type Deps = Pick<PageDeps, "texts" | "assets" | "clock" | "isDevelopment">;

/** A failure outside a handler: unknown page, refused body, crash. */
export interface PageFailure {
  readonly language: Language;
  readonly status: number;
  /** Names the cause. */
  readonly slug: string;
  readonly requestId: string;
  /** Requested path. */
  readonly path: string;
  /** Requested host, where that is the cause. */
  readonly host?: string | undefined;
}

/** Creates the pages for failures. `origin` is the configured one, because the instance itself may be unknown. */
export const createPageFailure =
  (deps: Deps, origin: string) =>
  ({ language, status, slug, requestId, path, host }: PageFailure): WebResponse => {
    const common = { language, requestId, path, origin, status };
    if (host === undefined) return answerError(deps, { ...common, error: errorOf({ status, slug, path }) });
    // No link works at this host. The detail tells the operator what does not match.
    const detail = `The request is for the host ${host}. This server answers for ${new URL(origin).host}.`;
    return answerError(deps, { ...common, error: "host_unknown", detail, button: undefined });
  };

function errorOf({ status, slug, path }: Pick<PageFailure, "status" | "slug" | "path">): PageError {
  if (slug === "instance.blocked") return "instance_blocked";
  if (status === 404 || status === 405) return "not_found";
  if (status === 429) return "too_many_requests";
  if (status === 503) return "unavailable";
  if (status >= 500) return "internal";
  // Applications do not send users to the account, so the cause there is a form.
  return isOfAccount(path) ? "form_rejected" : "request_invalid";
}

const untrusted = {
  "authorize.client_unknown": "client_unknown",
  "authorize.redirect_uri_missing": "request_invalid",
  "authorize.redirect_uri_mismatch": "redirect_uri_invalid",
} as const satisfies Record<string, PageError>;

/**
 * Why a protocol request is not answered: its client and redirect URI do not belong together, or an error of the
 * protocol.
 */
type UntrustedReason =
  | {
      readonly slug: keyof typeof untrusted;
      readonly client: { readonly name: string; readonly redirectUris: readonly string[] } | undefined;
      readonly redirectUri: string | undefined;
      readonly detail: string | undefined;
    }
  | { readonly slug?: undefined; readonly description: string };

/**
 * Shows a protocol request whose error may not be redirected. The registered addresses are shown only to developers.
 */
export const createUntrustedPage =
  (deps: Deps) =>
  (request: WebRequest, reason: UntrustedReason): WebResponse => {
    const { language, requestId, note } = request.call;
    const { origin } = request.instance;
    const common = { language, requestId, path: request.path, origin };
    if (reason.slug === undefined) {
      const isResuming = [
        endpointPaths.authorizationCallback,
        endpointPaths.authorizationResponse,
        endpointPaths.samlCallback,
      ].some((path) => path === request.path);
      const error = isResuming ? "request_expired" : "request_invalid";
      note?.({ errorId: error });
      return answerError(deps, { ...common, error, detail: reason.description });
    }
    const { client, redirectUri, slug } = reason;
    note?.({ errorId: slug });
    const received = new URLSearchParams(request.query).get("client_id") ?? undefined;
    const name = client?.name ?? received;
    return answerError(deps, {
      ...common,
      error: untrusted[slug],
      client: name === undefined ? undefined : { name },
      detail: slug === "authorize.redirect_uri_missing" ? "parameter redirect_uri is missing" : reason.detail,
      redirectUri:
        deps.isDevelopment && client !== undefined && redirectUri !== undefined
          ? { received: redirectUri, registered: client.redirectUris }
          : undefined,
    });
  };
