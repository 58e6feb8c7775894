/**
 * A run that a command makes. Every test file is in exactly one of `standard` and `long`; `quick` is a part of
 * `standard`.
 */
export type Tier = "quick" | "standard" | "long";

/** Beginnings of the paths of test files. CONTRIBUTING.md has the same lists for people; a test compares the two. */
export const tierPaths: Readonly<Record<Tier | "notQuick", readonly string[]>> = {
  /** The quick run: rules, operations and HTTP. */
  quick: ["api/test/", "server/test/"],
  /** Excluded from it: tests that start programs or cover every page, route or pair. */
  notQuick: [
    "server/test/account/reach",
    "server/test/cli/",
    "server/test/docs/",
    "server/test/golden/",
    "server/test/login/enumeration",
    "server/test/login/every-form",
    "server/test/login/telltale",
    "server/test/user/large-list",
  ],
  standard: ["api/test/", "e2e/test/", "server/test/", "tools/test/"],
  long: [
    "e2e/test/flows-",
    "e2e/test/pages-comfort",
    "e2e/test/pages-gallery",
    "e2e/test/pages-speed",
    "server/test/access/",
    "server/test/authorization/large-project",
    "server/test/bad-input/",
    "server/test/bearer/",
    "server/test/crash/",
    "server/test/hostile/",
    "server/test/jobs/soak",
    "server/test/lists/",
    "server/test/login/steps",
    "server/test/matrix/",
    "server/test/model/",
    "server/test/oauth/token-exchange/hostile",
    "server/test/oauth/token-exchange/matrix",
    "server/test/own-writes/",
    "server/test/races/",
    "server/test/tour/",
  ],
};

/** Runs in which a test file takes part; none when no list has a place for it. */
export function tiersOf(file: string): readonly Tier[] {
  const isIn = (paths: readonly string[]): boolean => paths.some((path) => file.startsWith(path));
  if (isIn(tierPaths.long)) return ["long"];
  if (!isIn(tierPaths.standard)) return [];
  return isIn(tierPaths.quick) && !isIn(tierPaths.notQuick) ? ["standard", "quick"] : ["standard"];
}
