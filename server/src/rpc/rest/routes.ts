import type { Route } from "@doorward/api/methods";
import { lazy } from "../../base/lazy.ts";
import type { WebRoute } from "../../web/index.ts";
import { namespaceWord, withPathWord } from "../namespace.ts";
import { answersWhenBlocked, type Method, type Registry } from "../registry.ts";
import type { RestDeps } from "./answer.ts";
import { parsePathTemplate } from "./path-template.ts";

/** Returns a route, and one for each alias where our word is a part of its path. */
function withAliases(route: Route, aliases: readonly string[]): Route[] {
  // Few paths have it, and all are looked at with each start.
  if (!route.path.includes(`/${namespaceWord}`)) return [route];
  const paths = new Set([route.path, ...aliases.map((word) => withPathWord(route.path, word))]);
  return [...paths].map((path) => ({ ...route, path }));
}

/** Creates a route for every `google.api.http` binding of every method. */
export function createRestRoutes(deps: RestDeps, registry: Registry): WebRoute[] {
  // Code that depends on messages is loaded with the first call.
  const loadServe = lazy(() => import("./serve.ts"));
  const createRoute = (method: Method, { path, verb, body }: Route): WebRoute => {
    const template = parsePathTemplate(path);
    const reached = { method, template, bodyField: body };
    return {
      methods: [verb],
      path: template.path,
      protocol: "rest",
      isOpenToOrigins: true,
      readsBodyLate: true,
      answersWhenBlocked: answersWhenBlocked(method),
      handler: async (request) => (await loadServe()).serve(deps, reached, request),
    };
  };
  const served = [...registry.values()].filter(({ isHealth }) => !isHealth);
  return served.flatMap((method) =>
    method.routes
      .flatMap((route) => withAliases(route, deps.namespace.aliases))
      .map((route) => createRoute(method, route)),
  );
}
