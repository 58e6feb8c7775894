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
/** `file` is what was chosen, on pages that take one. */
export type FormHandler = (deps: PageDeps, visit: Visit, form: URLSearchParams, file?: Buffer) => Promise<WebResponse>;

/** A page at an address: looking at it changes nothing; its form is posted to the same address. */
export interface PageAt {
  readonly path: string;
  readonly get?: PageHandler;
  readonly post?: FormHandler;
  /** Where a form leads that is out of date; the page itself when not given. */
  readonly pageOfForm?: string;
  /** How its form is counted, where that is not with all the others. */
  readonly rateLimit?: "signUp";
  /** Its form is sent as `multipart/form-data`, with a file in this field. */
  readonly fileField?: string;
}

// Passwords are the longest that a form carries.
const bodyLimit = 64 * 1024;
// More than a file may have, so that the page can say how much that is.
const fileBodyLimit = 1024 * 1024;

export function pageRoutes(deps: PageDeps, page: PageAt): WebRoute[] {
  const { path, get, post, pageOfForm = path, fileField } = page;
  const rateLimit = page.rateLimit ?? ("login" as const);
  const common = { path, protocol: "page", bodyLimit } as const;
  return [
    ...(get === undefined ? [] : [{ ...common, methods: ["GET"], handler: look(deps, get) }]),
    ...(post === undefined
      ? []
      : [
          {
            ...{ ...common, rateLimit, methods: ["POST"] },
            ...(fileField !== undefined && { bodyLimit: fileBodyLimit, takesBytes: true }),
            handler: submit(deps, post, { pageOfForm, fileField }),
          },
        ]),
  ];
}

const look =
  (deps: PageDeps, handler: PageHandler): WebHandler =>
  async (request) => {
    const visit = await openVisit(deps, request);
    const wanted = matchLanguage(visit.query.get("language") ?? "");
    if (wanted !== undefined) {
      // Kept in a cookie and gone from the address, so that a link that is passed on does not carry it.
      return seeOther(here(visit, request.path), { "set-cookie": languageCookie(request, wanted) });
    }
    return guard(deps, visit, () => handler(deps, visit));
  };

/**
 * A form is taken from our own page in the browser that it was made for, and from nowhere else. One that only is out of date (from before a
 * sign-in in another tab) leads to the page as it is now.
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

/** What a form sent, in the encoding that its page gave it; undefined for any other. */
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
    return answerError(deps, { error: "unavailable", language, requestId, path, origin: instance.origin });
  }
}

const restart = (visit: Visit, path: string) => ({ to: "restart", href: here(visit, path) }) as const;

/** A page with what the browser is here for, but without the choice of a language. */
function here({ query }: Visit, path: string) {
  const parameters = Object.fromEntries(query);
  delete parameters["language"];
  return pathTo(path, parameters);
}

/** The header that gives a browser its new secret, when it got one. */
export const withSecret = ({ request }: Visit, browser: Visit["browser"] | undefined): WebResponse["headers"] =>
  browser === undefined ? {} : { "set-cookie": browserCookie(browser, request.instance.origin) };
