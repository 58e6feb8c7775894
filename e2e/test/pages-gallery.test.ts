import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type GalleryPage, galleryLanguages } from "../../server/test/pages/gallery.ts";
import { startGallery } from "../../server/test/pages/gallery-server.ts";
import { browserTest } from "../support/browser.ts";
import { axeViolations, type Look, sidewaysScroll, smallTargets, unseenFocus } from "../support/page-checks.ts";

const looks: readonly Look[] = [
  { colorScheme: "light", width: 320 },
  { colorScheme: "dark", width: 320 },
  { colorScheme: "light", width: 1280 },
];

// The pages of the errors differ in their words only: each is looked at once, the first in every way.
const looksOf = ({ view, state }: GalleryPage): readonly Look[] =>
  view === "error" && state !== "default" && state !== "long" ? looks.slice(1, 2) : looks;

browserTest(
  "every page: axe finds nothing, nothing is blocked or logged, nothing scrolls sideways, targets are large, the focus is seen",
  async (t, browser) => {
    const { origin, pages } = await startGallery(t);
    assert.ok(pages.length > 90);
    const waiting = [...pages];
    const found: string[] = [];
    const work = async (page: Page): Promise<void> => {
      let name = "";
      page.on("console", (message) => found.push(`${name}: ${message.text()}`));
      page.on("pageerror", (error) => found.push(`${name}: ${error.message}`));
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        name = next.name;
        await page.goto(origin + next.path);
        // In the other languages only the words differ, and how long they are.
        const isThorough = galleryLanguages.includes(next.language);
        const wrong = await sidewaysScroll(page, isThorough ? "all" : "smallest");
        if (isThorough) {
          wrong.push(...(await axeViolations(page, looksOf(next))));
          wrong.push(...(await smallTargets(page)), ...(await unseenFocus(page)));
        }
        found.push(...wrong.map((what) => `${next.name}: ${what}`));
      }
    };
    await Promise.all([work(await browser.newPage()), work(await browser.newPage())]);
    assert.deepEqual(found, []);
  },
);

browserTest(
  "a page is at most 20 kB, one of the account 30 kB, its scripts 6 kB, in five requests, all to us",
  async (t, browser) => {
    const { origin, pages } = await startGallery(t);
    for (const shown of pages.filter(({ name }) => name.endsWith(".default.en"))) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send("Network.enable");
      const urls = new Map<string, string>();
      let total = 0;
      let scripts = 0;
      session.on("Network.responseReceived", ({ requestId, response }) => urls.set(requestId, response.url));
      session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
        total += encodedDataLength;
        if (urls.get(requestId)?.endsWith(".js")) scripts += encodedDataLength;
      });
      await page.goto(origin + shown.path, { waitUntil: "networkidle" });
      t.diagnostic(`${shown.view}: ${total} bytes, of them ${scripts} script, in ${urls.size} requests`);
      const most = shown.view.startsWith("account-") ? 30_000 : 20_000;
      assert.ok(total > 1000 && total <= most, `${shown.name}: ${total} bytes`);
      assert.ok(scripts <= 6000, `${shown.name}: ${scripts} bytes of script`);
      assert.ok(urls.size <= 5, `${shown.name}: ${urls.size} requests`);
      for (const url of urls.values()) assert.ok(url.startsWith(`${origin}/`), url);
      await context.close();
    }
  },
);
