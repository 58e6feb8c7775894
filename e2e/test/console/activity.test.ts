import assert from "node:assert/strict";
import { addOrganization } from "../../../server/test/support/people/people.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

browserTest("the activity of today is a choice, and its filters fit a phone", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  await addOrganization(server, "Acme");
  const { page, open } = await console.openAs(owner, 390);
  await open("/activity");
  await page.getByLabel("When").selectOption("Today");
  await page.waitForURL((url) => url.searchParams.get("period") === "today");
  await page
    .getByRole("row", { name: /Organization/ })
    .first()
    .waitFor();
  const bar = await page.locator("search.filter-bar").boundingBox();
  assert.ok(bar !== null);
  for (const choice of await page.locator("search.filter-bar select").all()) {
    const box = await choice.boundingBox();
    assert.ok(box !== null && box.x >= bar.x && box.x + box.width <= bar.x + bar.width + 1, "within the page");
    assert.ok(box.width > bar.width / 3, "half of the line, so that its words can be read");
  }
  assert.deepEqual(await axeViolations(page, [{ colorScheme: "dark", width: 390 }]), []);
  console.assertQuiet();
});
