import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { startGallery } from "../../server/test/pages/gallery-server.ts";
import { browserTest } from "../support/browser.ts";
import { findMoved } from "../support/page-checks.ts";

// What people see who sign in, on a slow phone.
const slow = ["login-name", "password", "second-factor", "register", "account-home", "account-methods"];
const longestPaint = 800;

/** How many times slower than here a page is worked on, and the bits a second that it comes with. */
interface Slowness {
  readonly times: number;
  readonly bits: number;
}

/** A page that has nothing yet, on a slow machine and line. */
async function slowPage(browser: Browser, { times, bits }: Slowness): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 360, height: 640 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  const rate = bits / 8;
  const network = { offline: false, latency: 20, downloadThroughput: rate, uploadThroughput: rate };
  await session.send("Network.emulateNetworkConditions", network);
  await session.send("Emulation.setCPUThrottlingRate", { rate: times });
  return page;
}

/** Milliseconds until the largest part of a page is painted: cold, four times slower than here, at 1.6 Mbit/s. */
async function largestPaint(browser: Browser, address: string): Promise<number> {
  const page = await slowPage(browser, { times: 4, bits: 1_600_000 });
  await page.goto(address);
  const painted = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observe = (list: PerformanceObserverEntryList) => resolve(list.getEntries().at(-1)?.startTime ?? 0);
        new PerformanceObserver(observe).observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
  await page.context().close();
  return painted;
}

browserTest("on a slow phone and line the pages of signing in are painted within 800 ms", async (t, browser) => {
  const { origin } = await startGallery(t);
  for (const view of slow) {
    // The best of some: the runner has nothing else run beside this file, but other machines share these processors.
    let best = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 30 && best > longestPaint; tries++) {
      best = Math.min(best, await largestPaint(browser, `${origin}/${view}.default.en`));
    }
    t.diagnostic(`${view}: ${Math.round(best)} ms`);
    assert.ok(best > 0 && best <= longestPaint, `${view}: ${best} ms`);
  }
});

browserTest("when a page arrives in pieces, none of them moves another", async (t, browser) => {
  const { origin } = await startGallery(t);
  for (const view of ["password", "password-code"]) {
    const page = await slowPage(browser, { times: 10, bits: 250_000 });
    await page.setViewportSize({ width: 1280, height: 1280 });
    await page.goto(`${origin}/${view}.default.en`, { waitUntil: "networkidle" });
    assert.deepEqual(await findMoved(page), [], view);
    await page.context().close();
  }
});
