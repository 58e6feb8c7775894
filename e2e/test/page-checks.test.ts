import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { startGallery } from "../../server/test/pages/gallery-server.ts";
import { browserTest } from "../support/browser.ts";
import { axeViolations } from "../support/page-checks.ts";

browserTest("a page is not judged before its style is there", async (t, browser) => {
  const { origin } = await startGallery(t);
  const page = await browser.newPage();
  let styles = 0;
  await page.route("**/*.css", async (route) => {
    styles++;
    await sleep(500);
    await route.continue();
  });
  await page.goto(`${origin}/register.error.en`, { waitUntil: "commit" });
  await page.getByRole("alert").waitFor();
  assert.deepEqual(await axeViolations(page, [{ colorScheme: "dark", width: 320 }]), []);
  assert.ok(styles > 0, "the style came late");
  await page.close();
});
