import { compileUriPattern, type UriPattern } from "./uri-pattern.ts";

/** Most wildcards in all patterns of a list: a request follows them all. */
export const mostWildcards = 100;

// By the list itself, which a cached client keeps as long as it is cached.
const compiled = new WeakMap<readonly string[], readonly UriPattern[]>();

/** Whether a URI matches one of the patterns, which are compiled once for each list. */
export function matchesPattern(patterns: readonly string[], uri: string): boolean {
  let matchers = compiled.get(patterns);
  if (matchers === undefined) {
    matchers = compileAll(patterns);
    compiled.set(patterns, matchers);
  }
  return matchers.some(({ matches }) => matches(uri));
}

/** Compiles a list. Patterns that were stored before they had a limit, and exceed it, match nothing. */
function compileAll(patterns: readonly string[]): UriPattern[] {
  const matchers: UriPattern[] = [];
  let wildcards = 0;
  for (const pattern of patterns) {
    // Any other pattern is a URI, which only matches itself.
    const matcher = /[*?[{]/.test(pattern) ? compileUriPattern(pattern) : undefined;
    if (matcher === undefined) continue;
    if (wildcards + matcher.wildcards > mostWildcards) continue;
    wildcards += matcher.wildcards;
    matchers.push(matcher);
  }
  return matchers;
}
