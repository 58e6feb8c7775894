import { hash } from "node:crypto";
import type { ContractReference } from "../../api/index.ts";
import { createBoundedMap } from "../../base/bounded-map.ts";
import { createPageContext, type Html, type PageContext } from "../../html/index.ts";
import type { WebResponse } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { respondWithPage } from "../respond.ts";
import { languageLinks } from "../visit/answer.ts";
import type { PageHandler } from "../visit/handlers.ts";
import { showError } from "../visit/show-error.ts";
import type { Visit } from "../visit/visit.ts";
import { docsIndexPage } from "./index-view.ts";
import { docsMethodPage } from "./method-view.ts";
import { docsServicePage } from "./service-view.ts";

/** The overview of services. */
export const showIndex: PageHandler = (deps, visit) =>
  answer(deps, visit, ({ services }) => {
    const model = { origin: visit.request.instance.origin, services };
    return (context) => docsIndexPage(context, model);
  });

/** A service with its methods. */
export const showService: PageHandler = (deps, visit) =>
  answer(deps, visit, (reference) => {
    const service = reference.find(visit.request.pathVariables["service"] ?? "");
    return service && ((context) => docsServicePage(context, service));
  });

/** A method with its fields. */
export const showMethod: PageHandler = (deps, visit) =>
  answer(deps, visit, (reference) => {
    const { pathVariables, instance } = visit.request;
    const service = reference.find(pathVariables["service"] ?? "");
    const method = service?.methods.find(({ name }) => name === pathVariables["method"]);
    if (service === undefined || method === undefined) return undefined;
    const model = { origin: instance.origin, service, method };
    return (context) => docsMethodPage(context, model);
  });

/** A page that is the same for every reader. */
interface StoredPage {
  readonly response: WebResponse & { readonly body: Buffer };
  readonly etag: string;
}

// Reading a service and rendering it takes some 15 milliseconds, and anyone may ask. In bytes, so that all answers that
// wait for their readers share them.
const store = createBoundedMap<StoredPage>({
  most: 1_000,
  mostSize: 4 * 1024 * 1024,
  sizeOf: ({ response }) => response.body.length,
});

/**
 * Answers with the page, or with 304 when the browser has it. Its content does not depend on the reader, so it is
 * rendered once for each address and language.
 */
async function answer(
  deps: PageDeps,
  visit: Visit,
  read: (reference: ContractReference) => ((context: PageContext) => Html) | undefined,
): Promise<WebResponse> {
  const reference = await deps.reference.open();
  const { path, instance } = visit.request;
  const address = [reference.version, instance.origin, visit.call.language, ...visit.languages, path].join("\n");
  const page = store.get(address) ?? drawPage(deps, visit, read(reference));
  if (page === undefined) return showError(deps, visit, { error: "not_found" });
  if (store.get(address) !== page) store.put(address, page);
  const headers = { etag: page.etag, "cache-control": "no-cache", vary: "accept-language, cookie" };
  if (visit.request.header("if-none-match") === page.etag) return { status: 304, headers };
  return { ...page.response, headers: { ...page.response.headers, ...headers } };
}

function drawPage(
  deps: PageDeps,
  visit: Visit,
  draw: ((context: PageContext) => Html) | undefined,
): StoredPage | undefined {
  if (draw === undefined) return undefined;
  const { language } = visit.call;
  const context = createPageContext({
    texts: deps.texts,
    assets: deps.assets,
    language,
    csrfToken: "",
    // Without the query, which means nothing to these pages.
    languageLinks: languageLinks({ ...visit, query: new URLSearchParams() }, visit.languages),
  });
  const { origin } = visit.request.instance;
  const response = respondWithPage({ page: draw(context), language, origin, surface: "account" });
  const body = Buffer.from(response.body ?? "");
  return { response: { ...response, body }, etag: `W/"${hash("sha256", body, "base64url").slice(0, 22)}"` };
}
