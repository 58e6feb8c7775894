import { lazy } from "../../base/lazy.ts";
import type { WebRoute } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { type PageHandler, pageRoutes } from "../visit/handlers.ts";
import { docsPath } from "./frame.ts";
import { openApiRoute } from "./openapi-document.ts";

type Shown = "showIndex" | "showService" | "showMethod";

/** `/docs`: the reference of the API for people, and as OpenAPI for programs. Public, and the same for every reader. */
export function docsRoutes(deps: PageDeps): WebRoute[] {
  // Loaded on first use, because many servers never show these pages.
  const load = lazy(() => import("./show.ts"));
  const shown =
    (name: Shown): PageHandler =>
    async (...visit) =>
      (await load())[name](...visit);
  return [
    openApiRoute(deps.reference),
    ...pageRoutes(deps, { path: docsPath, get: shown("showIndex") }),
    ...pageRoutes(deps, { path: `${docsPath}/:service`, get: shown("showService") }),
    ...pageRoutes(deps, { path: `${docsPath}/:service/:method`, get: shown("showMethod") }),
  ];
}
