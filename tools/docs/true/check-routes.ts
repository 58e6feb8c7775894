import type { Page, Piece, Untruth } from "./page.ts";

/** A route as the router has it: `:name` is one segment, `*` at the end is any number of them. */
export interface KnownRoute {
  readonly methods: readonly string[];
  readonly path: string;
}

const verbs = "GET|POST|PUT|PATCH|DELETE";
const inSpan = new RegExp(`^(?:(${verbs}) )?(?:<(?:origin|issuer)>)?(…?/[^\\s?#]+)`);
const inCommand = new RegExp(
  `(?:-X (${verbs}) )?["']?(?:\\$\\{?[A-Z_]+\\}?|https?://localhost:8080)(/[^\\s?#"']+)`,
  "g",
);

/**
 * Routes of a page that the server does not have. A text counts as a route when it is a path whose first segment is
 * that of a route, or when it is the rest of one (`…/idps/oidc`). Without a verb it may also be the beginning of routes
 * (`/admin/v1`). `{a|b}` means both, and both must exist.
 */
export function checkRoutes(page: Page, routes: readonly KnownRoute[]): Untruth[] {
  const known = routes.map(({ methods, path }) => ({ methods, segments: segmentsOf(path) }));
  const beginnings = new Set(
    known.map(({ segments: [first] }) => first).filter((first) => /^[.\w-]+$/.test(first ?? "")),
  );
  const isRoute = ({ verb, path }: Named): boolean => {
    const [first = "", ...rest] = segmentsOf(path);
    return known.some(({ methods, segments }) => {
      if (verb !== undefined && !methods.includes(verb)) return false;
      if (first !== "…") return isMatch([first, ...rest], segments, verb === undefined);
      return segments.some(
        (segment, index) => segment === rest[0] && isMatch(rest, segments.slice(index), verb === undefined),
      );
    });
  };
  return [...page.spans.flatMap(routesInSpan), ...page.commandLines.flatMap(routesInCommand)]
    .flatMap(eachAlternative)
    .filter(({ path }) => path.startsWith("…") || beginnings.has(segmentsOf(path)[0] ?? ""))
    .filter((named) => !isRoute(named))
    .map(({ verb, path, line }) => {
      const text = verb === undefined ? path : `${verb} ${path}`;
      return { path: page.path, text, line, message: "the server has no such route" };
    });
}

interface Named {
  readonly verb: string | undefined;
  readonly path: string;
  readonly line: number;
}

function routesInSpan({ text, line }: Piece): Named[] {
  const [, verb, path] = inSpan.exec(text) ?? [];
  return path === undefined ? [] : [{ verb, path, line }];
}

function routesInCommand({ text, line }: Piece): Named[] {
  return Array.from(text.matchAll(inCommand), ([, verb, path = ""]) => ({ verb, path, line }));
}

function eachAlternative(named: Named): Named[] {
  const [group, alternatives] = /\{([^{}]*\|[^{}]*)\}/.exec(named.path) ?? [];
  if (group === undefined || alternatives === undefined) return [named];
  return alternatives
    .split("|")
    .flatMap((alternative) => eachAlternative({ ...named, path: named.path.replace(group, alternative) }));
}

const segmentsOf = (path: string): string[] => path.replace(/^\//, "").replace(/\/$/, "").split("/");

function isMatch(named: readonly string[], route: readonly string[], mayBeBeginning: boolean): boolean {
  for (const [index, segment] of named.entries()) {
    const ofRoute = route[index];
    if (segment === "…" && index === named.length - 1) return ofRoute !== undefined;
    if (ofRoute === "*") return true;
    if (ofRoute === undefined || !isSameSegment(segment, ofRoute)) return false;
  }
  return mayBeBeginning || named.length === route.length;
}

// A variable of the router takes anything. `{id}` and `$ID` stand for variables, `<kind>` and `…` for constants too.
function isSameSegment(named: string, ofRoute: string): boolean {
  if (named === ofRoute || ofRoute.startsWith(":")) return true;
  return /^(?:<.*>|…|\*)$/.test(named);
}
