/**
 * A run that a command makes. Every test file is in exactly one of `standard` and `long`; `quick` is a part of
 * `standard`.
 */
export type Tier = "quick" | "standard" | "long";

/** Beginnings of the paths of test files. CONTRIBUTING.md has the same lists for people; a test compares the two. */
export const tierPaths: Readonly<Record<Tier | "notQuick", readonly string[]>> = {
  /** The quick run: rules, operations and HTTP. */
  quick: ["api/test/", "server/test/"],
  /** Excluded from it: tests that start programs, cover every page, route or pair, or send and hash a lot. */
  notQuick: [
    "server/test/account/reach",
    "server/test/base/password-hash",
    "server/test/cli/",
    "server/test/database/long-reads",
    "server/test/docs/",
    "server/test/email/account-shares",
    "server/test/email/mail-rules",
    "server/test/email/source-shares",
    "server/test/golden/",
    "server/test/login/enumeration",
    "server/test/login/every-form",
    "server/test/login/launches",
    "server/test/login/telltale",
    "server/test/oauth/authority/own-apis",
    "server/test/rpc/reflection",
    "server/test/transfer/",
    "server/test/user/holders-of-names",
  ],
  standard: ["api/test/", "e2e/test/", "server/test/", "tools/test/"],
  long: [
    "e2e/test/clients/fastmcp",
    "e2e/test/clients/go",
    "e2e/test/clients/zitadel-methods",
    "e2e/test/console/",
    "e2e/test/flows-",
    "e2e/test/pages-comfort",
    "e2e/test/pages-gallery",
    "e2e/test/pages-speed",
    "server/test/access/",
    "server/test/action/whose-calls",
    "server/test/authorization/large-project",
    "server/test/authorization/own-list",
    "server/test/bad-input/",
    "server/test/base/imported-hash",
    "server/test/bearer/",
    "server/test/crash/",
    "server/test/data/large-import",
    "server/test/docs/every-page",
    "server/test/domain/large-claims",
    "server/test/email/sign-up-shares",
    "server/test/email/turns",
    "server/test/factor/blank-guesses",
    "server/test/hostile/",
    "server/test/http/body-share",
    "server/test/http/held-answers",
    "server/test/identity-provider/ldap/directory-guesses",
    "server/test/identity-provider/ldap/known-browsers",
    "server/test/identity-provider/ldap/samba",
    "server/test/identity-provider/prepared-links",
    "server/test/identity-provider/saml/formats",
    "server/test/identity-provider/saml/hostile",
    "server/test/identity-provider/saml/logout-of-many",
    "server/test/jobs/soak",
    "server/test/lists/",
    "server/test/login/password/imported-users",
    "server/test/login/steps",
    "server/test/matrix/",
    "server/test/model/",
    "server/test/oauth/register/strangers-in-use",
    "server/test/oauth/token-exchange/hostile",
    "server/test/oauth/token-exchange/matrix",
    "server/test/own-writes/",
    "server/test/races/",
    "server/test/saml-partners/",
    "server/test/saml/hostile",
    "server/test/script/sandbox",
    "server/test/script/seats",
    "server/test/search/whose-",
    "server/test/settings/strict-",
    "server/test/tour/",
    "server/test/transfer/large",
    "server/test/user-import/repeat",
    "server/test/user/large-list",
    "server/test/user/named-addresses",
    "tools/test/dependency-rules",
    "tools/test/memory",
    "tools/test/method-errors",
    "tools/test/test-runner",
    "tools/test/unused",
  ],
};

/** Runs in which a test file takes part; none when no list has a place for it. */
export function tiersOf(file: string): readonly Tier[] {
  const isIn = (paths: readonly string[]): boolean => paths.some((path) => file.startsWith(path));
  if (isIn(tierPaths.long)) return ["long"];
  if (!isIn(tierPaths.standard)) return [];
  return isIn(tierPaths.quick) && !isIn(tierPaths.notQuick) ? ["standard", "quick"] : ["standard"];
}
