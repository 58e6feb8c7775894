import { hash } from "node:crypto";
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
export const showIndex: PageHandler = async (deps, visit) => {
  const reference = await deps.reference.open();
  const model = { origin: visit.request.instance.origin, services: reference.services };
  return answer(deps, visit, (context) => docsIndexPage(context, model));
};

/** A service with its methods. */
export const showService: PageHandler = async (deps, visit) => {
  const reference = await deps.reference.open();
  const service = reference.find(visit.request.pathVariables["service"] ?? "");
  if (service === undefined) return showError(deps, visit, { error: "not_found" });
  return answer(deps, visit, (context) => docsServicePage(context, service));
};

/** A method with its fields. */
export const showMethod: PageHandler = async (deps, visit) => {
  const { pathVariables, instance } = visit.request;
  const reference = await deps.reference.open();
  const service = reference.find(pathVariables["service"] ?? "");
  const method = service?.methods.find(({ name }) => name === pathVariables["method"]);
  if (service === undefined || method === undefined) return showError(deps, visit, { error: "not_found" });
  const model = { origin: instance.origin, service, method };
  return answer(deps, visit, (context) => docsMethodPage(context, model));
};

/** Answers with the page, or with 304 when the browser has it: its content does not depend on the reader. */
function answer(deps: PageDeps, visit: Visit, draw: (context: PageContext) => Html): WebResponse {
  const { language } = visit.call;
  const context = createPageContext({
    texts: deps.texts,
    assets: deps.assets,
    language,
    csrfToken: "",
    languageLinks: languageLinks(visit, visit.languages),
  });
  const { origin } = visit.request.instance;
  const response = respondWithPage({ page: draw(context), language, origin, surface: "account" });
  const etag = `W/"${hash("sha256", response.body ?? "", "base64url").slice(0, 22)}"`;
  const headers = { etag, "cache-control": "no-cache", vary: "accept-language, cookie" };
  if (visit.request.header("if-none-match") === etag) return { status: 304, headers };
  return { ...response, headers: { ...response.headers, ...headers } };
}
