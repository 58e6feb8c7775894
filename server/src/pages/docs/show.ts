import { hash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { ContractReference, ErrorReference } from "../../api/index.ts";
import { createBoundedMap } from "../../base/bounded-map.ts";
import { createPageContext, type Html, type PageContext } from "../../html/index.ts";
import type { WebResponse } from "../../web/index.ts";
import { accepts } from "../accepts-encoding.ts";
import type { PageDeps } from "../deps.ts";
import { respondWithPage } from "../respond.ts";
import type { PageHandler } from "../visit/handlers.ts";
import { showError } from "../visit/show-error.ts";
import type { Visit } from "../visit/visit.ts";
import { docsErrorsPage, type ShownError } from "./errors-view.ts";
import type { DocsFrame } from "./frame.ts";
import { docsGuidePage } from "./guide-view.ts";
import { guides } from "./guides/guides.ts";
import { docsIndexPage } from "./index-view.ts";
import { docsMethodPage } from "./method-view.ts";
import type { Navigation } from "./navigation.ts";
import { searchHrefOf } from "./search-file.ts";
import { docsServicePage } from "./service-view.ts";

/** The overview of guides and services. */
export const showIndex: PageHandler = (deps, visit) =>
  answer(deps, visit, ({ services }) => {
    const model = { origin: visit.request.instance.origin, services };
    return { here: {}, draw: (context, frame) => docsIndexPage(context, frame, model) };
  });

/** A guide, or the page about errors. */
export const showGuide: PageHandler = (deps, visit) =>
  answer(deps, visit, ({ generalErrors }) => {
    const { pathVariables, instance } = visit.request;
    const name = pathVariables["guide"];
    if (name === "errors") {
      const errors = withSentences(deps, generalErrors);
      return { here: { here: name }, draw: (context, frame) => docsErrorsPage(context, frame, errors) };
    }
    const guide = guides.find((one) => one.name === name);
    if (guide === undefined) return undefined;
    return {
      here: { here: guide.name },
      draw: (context, frame) => docsGuidePage(context, frame, guide, instance.origin),
    };
  });

/** A service with its methods. */
export const showService: PageHandler = (deps, visit) =>
  answer(deps, visit, (reference) => {
    const service = reference.find(visit.request.pathVariables["service"] ?? "");
    return service && { here: { service }, draw: (context, frame) => docsServicePage(context, frame, service) };
  });

/** A method with its fields, errors and examples. */
export const showMethod: PageHandler = (deps, visit) =>
  answer(deps, visit, (reference) => {
    const { pathVariables, instance } = visit.request;
    const found = reference.findMethod(pathVariables["service"] ?? "", pathVariables["method"] ?? "");
    if (found === undefined) return undefined;
    const { service, method } = found;
    const errors = withSentences(deps, method.errors);
    const hasConsole = deps.loadConsole !== undefined;
    const model = { ...found, origin: instance.origin, errors, hasConsole };
    return {
      here: { service, here: method.name },
      draw: (context, frame) => docsMethodPage(context, frame, model),
    };
  });

const withSentences = ({ texts }: PageDeps, errors: readonly ErrorReference[]): ShownError[] =>
  errors.map((error) => ({ ...error, sentence: texts.pattern("en", `fault.${error.id}`) }));

/** A page, and where it stands in the navigation. */
interface Drawing {
  readonly here: Pick<Navigation, "service" | "here">;
  readonly draw: (context: PageContext, frame: DocsFrame) => Html;
}

/** A page that is the same for every reader. It holds no secret that its compressed length could tell of. */
interface StoredPage {
  /** With the body as gzip. */
  readonly response: WebResponse & { readonly body: Buffer };
  readonly etag: string;
}

// Drawing a page takes some milliseconds, and anyone may ask. In bytes, so that all answers that wait for their readers
// share them.
const store = createBoundedMap<StoredPage>({
  most: 1_000,
  mostSize: 4 * 1024 * 1024,
  sizeOf: ({ response }) => response.body.length,
});

/**
 * Answers with the page, or with 304 when the browser has it. The reference is English, like the contract, so its
 * content does not depend on the reader, and it is rendered once for each address.
 */
async function answer(
  deps: PageDeps,
  visit: Visit,
  read: (reference: ContractReference) => Drawing | undefined,
): Promise<WebResponse> {
  const reference = await deps.reference.open();
  const { pathVariables, instance } = visit.request;
  // Not the path, which can be spelled in many ways (`%2E`).
  const address = JSON.stringify([reference.version, instance.origin, deps.loadConsole === undefined, pathVariables]);
  const page = store.get(address) ?? drawPage(deps, visit, reference, read(reference));
  if (page === undefined) return showError(deps, visit, { error: "not_found" });
  if (store.get(address) !== page) store.put(address, page);
  const headers = { etag: page.etag, "cache-control": "no-cache", vary: "accept-encoding" };
  if (visit.request.header("if-none-match") === page.etag) return { status: 304, headers };
  const { body, ...response } = page.response;
  return accepts(visit.request.header("accept-encoding"), "gzip")
    ? { ...response, headers: { ...response.headers, ...headers, "content-encoding": "gzip" }, body }
    : { ...response, headers: { ...response.headers, ...headers }, body: gunzipSync(body) };
}

function drawPage(
  deps: PageDeps,
  visit: Visit,
  reference: ContractReference,
  drawing: Drawing | undefined,
): StoredPage | undefined {
  if (drawing === undefined) return undefined;
  const { texts, assets } = deps;
  const context = createPageContext({ texts, assets, language: "en", csrfToken: "", languageLinks: [] });
  const navigation = { services: reference.services, ...drawing.here };
  const frame = { navigation, searchHref: searchHrefOf(reference) };
  const { origin } = visit.request.instance;
  const response = respondWithPage({ page: drawing.draw(context, frame), language: "en", origin, surface: "docs" });
  const body = Buffer.from(response.body ?? "");
  return {
    response: { ...response, body: gzipSync(body) },
    etag: `W/"${hash("sha256", body, "base64url").slice(0, 22)}"`,
  };
}
