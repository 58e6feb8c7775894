import assert from "node:assert/strict";
import { browserTest } from "../support/browser.ts";

browserTest("pages are shown, and run their scripts, in a real browser", async (_t, browser) => {
  const page = await browser.newPage();
  await page.setContent("<h1>closed</h1><script>document.querySelector('h1').textContent = 'open'</script>");
  assert.equal(await page.textContent("h1"), "open");
  await page.close();
});

const closed = "default-src 'none'; style-src 'self'; form-action 'none'";

browserTest(
  "policy violations are reported for every page of every context, with and without scripts",
  async (t, browser) => {
    const contexts = [await browser.newContext(), await browser.newContext({ javaScriptEnabled: false })];
    t.after(() => Promise.all(contexts.map((context) => context.close())));
    for (const context of contexts) {
      for (const path of ["first", "second"]) {
        const page = await context.newPage();
        await page.route("http://closed.example/**", (route) => {
          const headers = { "content-security-policy": closed, "content-type": "text/html" };
          return route.fulfill({ status: 200, headers, body: "<h1>closed</h1><img src=/none.png>" });
        });
        const blocked = page.waitForEvent("console");
        await page.goto(`http://closed.example/${path}`);
        assert.match((await blocked).text(), /img-src|default-src/);
      }
    }
  },
  { provokes: /^http:\/\/closed\.example\/(?:first|second): .*none\.png/ },
);
