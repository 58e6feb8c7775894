import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { isSensible, type Search, searchAt } from "./lists.ts";
import type { PageRoute } from "./page-route.ts";
import { activityPages } from "./pages/activity/routes.ts";
import { appearancePages } from "./pages/appearance/routes.ts";
import { applicationPages } from "./pages/application/routes.ts";
import { attemptPages } from "./pages/attempt/routes.ts";
import { automationPages } from "./pages/automation/routes.ts";
import { homePages } from "./pages/home/routes.ts";
import { jobPages } from "./pages/job/routes.ts";
import { organizationPages } from "./pages/organization/routes.ts";
import { projectPages } from "./pages/project/routes.ts";
import { settingsPages } from "./pages/settings/routes.ts";
import { toolPages } from "./pages/tool/routes.ts";
import { transferPages } from "./pages/transfer/routes.ts";
import { userPages } from "./pages/user/routes.ts";
import { basePath } from "./session/environment.ts";
import { NotFound } from "./shell/not-found.tsx";
import { PageFailure } from "./shell/page-failure.tsx";
import { Shell } from "./shell/shell.tsx";

/** Keeps the organization from page to page; an empty one says that it is left. */
function keepOrganization({
  search,
  next,
}: {
  readonly search: Search;
  readonly next: (search: Search) => Search;
}): Search {
  const result = next(search);
  return "org" in result || search["org"] === undefined ? result : { ...result, org: search["org"] };
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: PageFailure,
  validateSearch: (search: Record<string, unknown>): Search =>
    // What is not named here would stay as it is.
    Object.fromEntries(
      Object.entries(search).map(([name, value]) => [
        name,
        typeof value === "string" && isSensible(value) ? value : undefined,
      ]),
    ),
  search: { middlewares: [keepOrganization] },
});

const pages: readonly PageRoute[] = [
  ...homePages,
  ...userPages,
  ...organizationPages,
  ...projectPages,
  ...applicationPages,
  ...automationPages,
  ...activityPages,
  ...appearancePages,
  ...attemptPages,
  ...jobPages,
  ...settingsPages,
  ...toolPages,
  ...transferPages,
];

const tree = root.addChildren(
  pages.map(({ path, load }) =>
    createRoute({
      getParentRoute: () => root,
      path,
      // After the root, with what it has left.
      validateSearch: searchAt(path) as (search: Record<string, unknown>) => Search,
      component: lazyRouteComponent(async () => ({ default: await load() })),
    }),
  ),
);

/** The router of the console. Each page is a file of its own, which is loaded when it is first shown. */
export const router = createRouter({
  routeTree: tree,
  basepath: basePath,
  // Parameters are plain texts, as in the address of any other page.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1]));
    return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
  },
  defaultPreload: "intent",
  defaultErrorComponent: PageFailure,
});
