import type { Language } from "../../base/language.ts";
import { recordFailedSignIn, type SignInStep } from "../../domain/sign-in-attempt/index.ts";
import { createPageContext } from "../../html/index.ts";
import type { Surface, WebRequest, WebResponse } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { type ErrorModel, errorPage, type PageError } from "../error/view.ts";
import { respondWithPage } from "../respond.ts";
import { pathTo, show } from "./answer.ts";
import type { Visit } from "./visit.ts";

const statuses: Readonly<Record<PageError, number>> = {
  client_unknown: 400,
  client_inactive: 400,
  redirect_uri_invalid: 400,
  request_invalid: 400,
  request_expired: 400,
  external_used: 400,
  external_too_old: 400,
  external_other_browser: 400,
  external_unsolicited: 400,
  device_gone: 400,
  cookies_missing: 400,
  form_rejected: 403,
  access_denied: 403,
  account_inactive: 403,
  setup_unavailable: 404,
  passkey_refused: 400,
  not_found: 404,
  host_unknown: 404,
  too_many_requests: 429,
  instance_blocked: 429,
  console_not_built: 503,
  unavailable: 503,
  internal: 500,
};

export type ShownError = Omit<ErrorModel, "reference" | "at">;

/** What administrators are told of the errors that end a sign-in. Others do not end one. */
const steps: Readonly<Partial<Record<PageError, SignInStep>>> = {
  client_unknown: { check: "application", outcome: "unknown" },
  client_inactive: { check: "application", outcome: "not_allowed", setting: "application_state" },
  redirect_uri_invalid: { check: "request", outcome: "not_allowed", setting: "redirect_uris" },
  request_expired: { check: "request", outcome: "expired" },
  cookies_missing: { check: "request", outcome: "failed" },
  external_used: { check: "identity_provider", outcome: "expired" },
  external_too_old: { check: "identity_provider", outcome: "expired" },
  external_other_browser: { check: "identity_provider", outcome: "refused" },
  external_unsolicited: { check: "identity_provider", outcome: "refused" },
  access_denied: { check: "application", outcome: "not_allowed", setting: "project_access" },
  account_inactive: { check: "name", outcome: "not_allowed", setting: "user_state" },
  passkey_refused: { check: "passkey", outcome: "refused" },
};

/**
 * Answers with the error page. By default the button leads to the account or to the start page. Administrators find an
 * error that ends a sign-in by the reference on the page.
 */
export async function showError(
  deps: PageDeps,
  visit: Visit,
  error: ShownError,
  surface: Surface = surfaceOf(visit.request.path),
): Promise<WebResponse> {
  const { requestId: reference, now: at, note } = visit.call;
  note?.({ errorId: error.error });
  const step = surface === "login" ? steps[error.error] : undefined;
  if (step !== undefined) {
    const userAgent = agentOf(visit.request);
    await recordFailedSignIn(deps, visit.call, { userAgent, steps: [step] });
  }
  const model = { ...error, button: error.button ?? buttonOf(visit.request.path), reference, at };
  const options = { status: statuses[error.error], isAddressable: false, hasForm: false, surface };
  return show(deps, visit, (context) => errorPage(context, model), options);
}

function agentOf(request: WebRequest) {
  const agent = request.header("user-agent");
  return agent === undefined ? {} : { header: { "user-agent": [agent] } };
}

/** Whether a path belongs to the account, even without a page. */
export const isOfAccount = (path: string): boolean => /^\/ui\/account(?:\/|$)/.test(path);

// Account pages have headers of their own.
const surfaceOf = (path: string): Surface => (isOfAccount(path) || /^\/docs(?:\/|$)/.test(path) ? "account" : "login");

const buttonOf = (path: string): NonNullable<ErrorModel["button"]> =>
  isOfAccount(path) ? { to: "account", href: pathTo("/ui/account") } : { to: "start", href: pathTo("/") };

/** A failure without a visit: outside the pages, or of the whole instance. */
export interface Failed extends ShownError {
  readonly language: Language;
  readonly requestId: string;
  /** Requested path. */
  readonly path: string;
  readonly origin: string;
  /** Overrides the status of the error where the protocol requires another. */
  readonly status?: number;
}

/** Answers with the error page, without any database access. */
export function answerError(
  deps: Pick<PageDeps, "texts" | "assets" | "clock">,
  { language, requestId, path, origin, status, ...error }: Failed,
): WebResponse {
  const context = createPageContext({
    texts: deps.texts,
    assets: deps.assets,
    language,
    csrfToken: "",
    languageLinks: [],
  });
  const surface = surfaceOf(path);
  const model = { button: buttonOf(path), ...error, reference: requestId, at: deps.clock() };
  const page = errorPage(context, model);
  return respondWithPage({ page, language, origin, surface, status: status ?? statuses[error.error] });
}
