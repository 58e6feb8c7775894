import assert from "node:assert/strict";
import type { CDPSession, Page } from "playwright-core";
import { type GalleryPage, galleryLanguages } from "../../server/test/pages/gallery.ts";
import { startGallery } from "../../server/test/pages/gallery-server.ts";
import { browserTest } from "../support/browser.ts";
import {
  axeViolations,
  bringAxe,
  findMoved,
  type Look,
  rulesOfLanguages,
  sidewaysScroll,
  smallTargets,
  unseenFocus,
} from "../support/page-checks.ts";

// A page without fields needs no third look.
const looks: readonly Look[] = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 320 },
  { colorScheme: "light", width: 320 },
];

const mirrored: readonly Look[] = [{ colorScheme: "light", width: 320 }];

// In most languages only the words differ, and how long they are; so do the pages of the errors, which are all one
// page.
const isOnlyWords = ({ view, state, language }: GalleryPage): boolean =>
  !galleryLanguages.includes(language) || (view === "error" && state !== "default" && state !== "long");

/** Whether the message is about the picture that is missing on purpose, on the page that shows how that looks. */
const isMissingPicture = (name: string, message: string): boolean =>
  name.startsWith("login-name.unloaded-logo.") && message.includes("status of 404");

/** How much is looked at in a page. */
const costOf = (shown: GalleryPage): number => (isOnlyWords(shown) ? 0 : shown.language === "en" ? 2 : 1);

/**
 * What is wrong with a page that is shown. One that is read from right to left has the same elements in the same order,
 * and elsewhere.
 */
async function findWrong(page: Page, shown: GalleryPage): Promise<string[]> {
  if (isOnlyWords(shown)) return sidewaysScroll(page, "smallest");
  if (shown.language !== "en") {
    return [...(await sidewaysScroll(page, "smallest")), ...(await axeViolations(page, mirrored, rulesOfLanguages))];
  }
  const wrong = [...(await sidewaysScroll(page, "all")), ...(await axeViolations(page, looks))];
  return [...wrong, ...(await smallTargets(page)), ...(await unseenFocus(page))];
}

browserTest(
  "every page: axe finds nothing, nothing is blocked or logged, nothing scrolls sideways, targets are large, the focus is seen",
  async (t, browser) => {
    const { origin, pages } = await startGallery(t);
    assert.ok(pages.length > 90);
    // What is looked at alike comes together, so that the width changes seldom.
    const waiting = [...pages].sort((one, other) => costOf(other) - costOf(one));
    const found: string[] = [];
    const work = async (): Promise<void> => {
      let name = "";
      const context = await browser.newContext();
      await bringAxe(context);
      const page = await context.newPage();
      page.on("console", (message) => {
        if (!isMissingPicture(name, message.text())) found.push(`${name}: ${message.text()}`);
      });
      page.on("pageerror", (error) => found.push(`${name}: ${error.message}`));
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        name = next.name;
        await page.goto(origin + next.path);
        found.push(...(await findWrong(page, next)).map((what) => `${next.name}: ${what}`));
      }
      await context.close();
    };
    await Promise.all([work(), work()]);
    assert.deepEqual(found, []);
  },
  { isUndrawn: true },
);

browserTest(
  "a page is at most 20 kB, one of the account 30 kB, its scripts 6 kB, in five requests, all to us, and nothing moves",
  async (t, browser) => {
    const { origin, pages } = await startGallery(t);
    const weigh = async (page: Page, session: CDPSession, shown: GalleryPage): Promise<void> => {
      const urls = new Map<string, string>();
      let total = 0;
      let scripts = 0;
      const onResponse = ({ requestId, response }: { requestId: string; response: { url: string } }): void =>
        void urls.set(requestId, response.url);
      const onEnd = ({ requestId, encodedDataLength }: { requestId: string; encodedDataLength: number }): void => {
        total += encodedDataLength;
        if (urls.get(requestId)?.endsWith(".js")) scripts += encodedDataLength;
      };
      // As on the first visit.
      await session.send("Network.clearBrowserCache");
      session.on("Network.responseReceived", onResponse).on("Network.loadingFinished", onEnd);
      await page.goto(origin + shown.path, { waitUntil: "networkidle" });
      session.off("Network.responseReceived", onResponse).off("Network.loadingFinished", onEnd);
      t.diagnostic(`${shown.view}: ${total} bytes, of them ${scripts} script, in ${urls.size} requests`);
      const most = shown.view.startsWith("account-") ? 30_000 : 20_000;
      assert.ok(total > 1000 && total <= most, `${shown.name}: ${total} bytes`);
      assert.ok(scripts <= 6000, `${shown.name}: ${scripts} bytes of script`);
      assert.ok(urls.size <= 5, `${shown.name}: ${urls.size} requests`);
      for (const url of urls.values()) assert.ok(url.startsWith(`${origin}/`), url);
      // What else this machine does may move something once, and not the next time.
      let moved = await findMoved(page);
      for (let tries = 0; tries < 3 && moved.length > 0; tries++) {
        await page.reload({ waitUntil: "networkidle" });
        moved = await findMoved(page);
      }
      assert.deepEqual(moved, [], `${shown.name}: something moves while it loads`);
    };
    // Most of the time of each is waiting for nothing more to come.
    const waiting = pages.filter(({ name }) => name.endsWith(".default.en"));
    const work = async (): Promise<void> => {
      const context = await browser.newContext();
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send("Network.enable");
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await weigh(page, session, next);
      await context.close();
    };
    await Promise.all(Array.from({ length: 8 }, work));
  },
);
