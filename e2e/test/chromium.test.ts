import assert from "node:assert/strict";
import { browserTest } from "../support/browser.ts";

browserTest("pages are shown, and run their scripts, in a real browser", async (_t, browser) => {
  const page = await browser.newPage();
  await page.setContent("<h1>closed</h1><script>document.querySelector('h1').textContent = 'open'</script>");
  assert.equal(await page.textContent("h1"), "open");
  await page.close();
});
