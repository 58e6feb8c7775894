import assert from "node:assert/strict";
import { test } from "node:test";
import { lateAccountPages } from "../../src/pages/account/routes.ts";
import type { PageDeps } from "../../src/pages/deps.ts";
import { lateLoginPages } from "../../src/pages/login/late-pages.ts";
import { setupLinkPages } from "../../src/pages/setup-link/late-pages.ts";
import { pageRoutes } from "../../src/pages/visit/handlers.ts";
import { latePageRoutes } from "../../src/pages/visit/late-pages.ts";
import type { WebRoute } from "../../src/web/index.ts";

// Routes only keep the dependencies for their handlers, which no test here calls.
const deps = {} as PageDeps;

const describe = ({ handler: _, ...route }: WebRoute): string =>
  JSON.stringify(Object.entries(route).sort(([one], [other]) => one.localeCompare(other)));

for (const [name, late] of Object.entries({
  account: lateAccountPages,
  login: lateLoginPages,
  "setup links": setupLinkPages,
})) {
  test(`the late pages of ${name} have the addresses, limits and forms of what is loaded for them`, async () => {
    const pages = await late.load();
    assert.ok(pages.length > 10, "the pages were not seen");
    assert.deepEqual(
      latePageRoutes(deps, late).map(describe).sort(),
      pages
        .flatMap((page) => pageRoutes(deps, page))
        .map(describe)
        .sort(),
    );
  });
}
