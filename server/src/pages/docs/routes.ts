import { lazy } from "../../base/lazy.ts";
import { lateHandler, type WebHandler, type WebRoute } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { type PageHandler, pageRoutes } from "../visit/handlers.ts";
import { contractPath, docsPath, guidesPath, indexPath } from "./addresses.ts";
import { openApiRoute } from "./openapi-document.ts";

type Shown = "showIndex" | "showGuide" | "showService" | "showMethod";

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
    documentAt(`${indexPath}/:file`, async () =>
      (await import("./search-file.ts")).createSearchHandler(deps.reference),
    ),
    documentAt(`${contractPath}/:service/:method`, async () =>
      (await import("./method-document.ts")).createMethodHandler(deps.reference),
    ),
    ...pageRoutes(deps, { path: docsPath, get: shown("showIndex") }),
    ...pageRoutes(deps, { path: `${guidesPath}/:guide`, get: shown("showGuide") }),
    ...pageRoutes(deps, { path: `${docsPath}/:service`, get: shown("showService") }),
    ...pageRoutes(deps, { path: `${docsPath}/:service/:method`, get: shown("showMethod") }),
  ];
}

const documentAt = (path: string, load: () => Promise<WebHandler>): WebRoute => ({
  methods: ["GET"],
  path,
  protocol: "plain",
  handler: lateHandler(load),
});
