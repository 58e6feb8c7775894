import { matchLanguage } from "../../base/language.ts";
import { DatabaseUnavailable } from "../../database/index.ts";
import {
  browserCookie,
  fileIn,
  isMultipart,
  readMultipart,
  type WebHandler,
  type WebRequest,
  type WebResponse,
  type WebRoute,
} from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { pathTo, seeOther } from "./answer.ts";
import { languageCookie } from "./choose-page-language.ts";
import { isCsrfTokenOf } from "./csrf-token.ts";
import { isOwnForm } from "./is-own-form.ts";
import { answerError, showError } from "./show-error.ts";
import { openVisit, type Visit } from "./visit.ts";

export type PageHandler = (deps: PageDeps, visit: Visit) => Promise<WebResponse>;
/** `file` is the uploaded file, on pages with one. */
export type FormHandler = (deps: PageDeps, visit: Visit, form: URLSearchParams, file?: Buffer) => Promise<WebResponse>;

/** A page at an address: a GET changes nothing, and its form posts to the same address. */
export interface PageAt {
  readonly path: string;
  readonly get?: PageHandler;
  readonly post?: FormHandler;
  /** Where an outdated form leads; the page itself by default. */
  readonly pageOfForm?: string;
  /** The rate limit of its form, where that is not the common one. */
  readonly rateLimit?: "signUp";
  /** The form is sent as `multipart/form-data`, with a file in this field. */
  readonly fileField?: string;
}

// Passwords are the longest values of a form.
const bodyLimit = 64 * 1024;
// More than a file may have, so that the page can state the limit.
const fileBodyLimit = 1024 * 1024;

/** Returns the routes of a page. */
export function pageRoutes(deps: PageDeps, page: PageAt): WebRoute[] {
  const { path, get, post, pageOfForm = path, fileField } = page;
  return [
    ...(get === undefined ? [] : [shownAt(path, look(deps, get))]),
    ...(post === undefined ? [] : [submittedTo(path, submit(deps, post, { pageOfForm, fileField }), page)]),
  ];
}

/** Returns the route that shows a page. */
export const shownAt = (path: string, handler: WebHandler): WebRoute => ({
  path,
  protocol: "page",
  bodyLimit,
  methods: ["GET"],
  handler,
});

/** Returns the route that takes a form. */
export const submittedTo = (
  path: string,
  handler: WebHandler,
  { rateLimit, fileField }: Pick<PageAt, "rateLimit" | "fileField">,
): WebRoute => ({
  path,
  protocol: "page",
  bodyLimit: fileField === undefined ? bodyLimit : fileBodyLimit,
  rateLimit: rateLimit ?? "login",
  methods: ["POST"],
  ...(fileField !== undefined && { takesBytes: true }),
  handler,
});

const look =
  (deps: PageDeps, handler: PageHandler): WebHandler =>
  async (request) => {
    const visit = await openVisit(deps, request);
    const wanted = matchLanguage(visit.query.get("language") ?? "");
    if (wanted !== undefined) {
      // Stored in a cookie and removed from the address, so that a shared link does not carry it.
      return seeOther(here(visit, request.path), { "set-cookie": languageCookie(request, wanted) });
    }
    return guard(deps, visit, () => handler(deps, visit));
  };

/**
 * Accepts a form only from our own page in the browser that it was made for. One that is only outdated (from before a
 * sign-in in another tab) leads to the current page.
 */
const submit =
  (
    deps: PageDeps,
    handler: FormHandler,
    { pageOfForm, fileField }: { pageOfForm: string; fileField: string | undefined },
  ): WebHandler =>
  async (request) => {
    const visit = await openVisit(deps, request);
    const sent = isOwnForm(request) ? await readForm(request, fileField) : undefined;
    if (sent === undefined) return showError(deps, visit, { error: "form_rejected" });
    const { form, file } = sent;
    if (!visit.isKnown) return showError(deps, visit, { error: "cookies_missing", button: restart(visit, pageOfForm) });
    if (!isCsrfTokenOf(visit.browser, form.get("csrf_token") ?? "")) return seeOther(here(visit, pageOfForm));
    return guard(deps, visit, () => handler(deps, visit, form, file));
  };

interface SentForm {
  readonly form: URLSearchParams;
  readonly file?: Buffer | undefined;
}

/** Reads a form in the encoding of its page; undefined for any other encoding. */
async function readForm(request: WebRequest, fileField: string | undefined): Promise<SentForm | undefined> {
  const contentType = request.header("content-type");
  if (fileField === undefined) {
    const isForm = contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/x-www-form-urlencoded";
    return isForm ? { form: new URLSearchParams(request.body) } : undefined;
  }
  const sent = isMultipart(contentType)
    ? await readMultipart(contentType, request.bytes ?? new Uint8Array())
    : undefined;
  if (sent === undefined) return undefined;
  const form = new URLSearchParams();
  for (const [name, value] of sent) if (typeof value === "string") form.append(name, value);
  return { form, file: await fileIn(sent, fileField) };
}

async function guard(deps: PageDeps, visit: Visit, work: () => Promise<WebResponse>): Promise<WebResponse> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    const { language, requestId } = visit.call;
    const { path, instance } = visit.request;
    visit.call.note?.({ errorId: "unavailable" });
    return answerError(deps, { error: "unavailable", language, requestId, path, origin: instance.origin });
  }
}

const restart = (visit: Visit, path: string) => ({ to: "restart", href: here(visit, path) }) as const;

/** Returns a page with the purpose of the visit, but without the choice of a language. */
function here({ query }: Visit, path: string) {
  const parameters = Object.fromEntries(query);
  delete parameters["language"];
  return pathTo(path, parameters);
}

/** Returns the header that gives a browser its new secret, if it has one. */
export const withSecret = ({ request }: Visit, browser: Visit["browser"] | undefined): WebResponse["headers"] =>
  browser === undefined ? {} : { "set-cookie": browserCookie(browser, request.instance.origin) };
