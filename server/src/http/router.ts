import createTree from "find-my-way";
import type { WebRoute } from "../web/index.ts";

export interface Found {
  readonly route: WebRoute;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Routes by method and path. */
export interface Router {
  find(method: string, path: string): Found | undefined;
  /** Methods that the path supports; empty without a route. */
  methodsOf(path: string): readonly string[];
  isOpenToOrigins(path: string): boolean;
  /** Returns the format of failures on a path; without a route, that of routes with the same beginning. */
  protocolOf(path: string): WebRoute["protocol"];
}

/** `/a/b/c` → `/a/b/c`, `/a/b`, `/a`; stops at the first variable. */
function prefixesOf(path: string): string[] {
  const segments = path.split("/").slice(1);
  const variable = segments.findIndex((segment) => segment.startsWith(":"));
  const fixed = variable < 0 ? segments : segments.slice(0, variable);
  return fixed.map((_, index) => `/${fixed.slice(0, fixed.length - index).join("/")}`);
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Whether the last segment of a path has the form of a verb, and was taken for a variable of the route. */
const isVerb = (path: string, route: WebRoute): boolean =>
  lastOf(path).startsWith("_") && lastOf(route.path).startsWith(":");

type Method = Parameters<ReturnType<typeof createTree>["find"]>[0];

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** What paths compile to: for each method and path the index of its route in the list. */
interface Matcher {
  /** The methods, paths and protocols of the list, in its order. */
  readonly patterns: string;
  readonly tree: ReturnType<typeof createTree>;
  /** By the beginning of a path, the format of failures of a route below it. */
  readonly nearest: ReadonlyMap<string, WebRoute["protocol"]>;
  /** How many segments the longest of those beginnings has. */
  readonly deepest: number;
}

// Every server of a process has the same paths, and compiling them takes a good part of a server's start.
let latest: Matcher | undefined;

function matcherOf(routes: readonly WebRoute[]): Matcher {
  const patterns = routes
    .map(({ methods: allowed, path, protocol }) => `${allowed.join(",")} ${path} ${protocol}`)
    .join("\n");
  if (latest?.patterns === patterns) return latest;
  const tree = createTree({ caseSensitive: true, ignoreDuplicateSlashes: false, maxParamLength: 512 });
  routes.forEach(({ methods: allowed, path }, index) => {
    for (const method of allowed) tree.on(method as Method, path, () => undefined, { index });
  });
  const nearest = new Map(routes.flatMap(({ path, protocol }) => prefixesOf(path).map((prefix) => [prefix, protocol])));
  const deepest = Math.max(...[...nearest.keys()].map((prefix) => prefix.split("/").length));
  latest = { patterns, tree, nearest, deepest };
  return latest;
}

/** Builds the router. Rejects two routes with the same method and path, which are a bug of the program. */
export function createRouter(routes: readonly WebRoute[]): Router {
  const { tree, nearest, deepest } = matcherOf(routes);
  const find = (method: string, path: string): Found | undefined => {
    const found = tree.find((method === "HEAD" ? "GET" : method) as Method, path);
    if (found === null) return undefined;
    const { index } = found.store as { readonly index: number };
    const route = routes[index] as WebRoute;
    return isVerb(path, route) && isVerbOfOthers(path) ? undefined : { route, variables: found.params };
  };
  // `_search` is no id where another method has a route of that name: the method is the wrong one.
  const isVerbOfOthers = (path: string): boolean =>
    methods.some((method) => {
      const found = tree.find(method as Method, path);
      return (
        found !== null &&
        lastOf((routes[(found.store as { readonly index: number }).index] as WebRoute).path) === lastOf(path)
      );
    });
  const anyOf = (path: string): readonly Found[] => methods.flatMap((method) => find(method, path) ?? []);
  return {
    find,
    methodsOf: (path) => methods.filter((method) => find(method, path) !== undefined),
    isOpenToOrigins: (path) => anyOf(path).some(({ route }) => route.isOpenToOrigins === true),
    protocolOf: (path) => {
      const known = anyOf(path)[0]?.route.protocol;
      if (known !== undefined) return known;
      // What is deeper than every route is not looked at: a stranger may send thousands of segments.
      const segments = path.split("/", deepest);
      for (; segments.length > 1; segments.pop()) {
        const protocol = nearest.get(segments.join("/"));
        if (protocol !== undefined) return protocol;
      }
      return "plain";
    },
  };
}
