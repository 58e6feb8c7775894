import process from "node:process";
import { after, type TestContext, test } from "node:test";
import { type Browser, chromium } from "playwright-core";
import { ensureChromium } from "./chromium.ts";

let launched: Promise<Browser> | undefined;

/**
 * A test in a browser. All tests of a file share one browser; each makes its own contexts. Without Chromium the test is
 * skipped with the reason, and fails under `CI=true`.
 */
export function browserTest(name: string, work: (t: TestContext, browser: Browser) => Promise<void>): void {
  test(name, async (t) => {
    const found = await ensureChromium();
    if (found.isThere) {
      launched ??= launch(found.path);
      return work(t, await launched);
    }
    if (process.env["CI"] === "true") throw new Error(`no browser: ${found.reason}`);
    t.skip(found.reason);
  });
}

after(async () => {
  if (launched === undefined) return;
  await (await launched).close();
});

function launch(path: string): Promise<Browser> {
  return chromium.launch({
    executablePath: path,
    headless: true,
    args: [
      // Root has no sandbox; and nothing here may talk to anybody but the server under test.
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--no-default-browser-check",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-domain-reliability",
      "--disable-sync",
      "--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication",
      "--metrics-recording-only",
      "--disable-dev-shm-usage",
    ],
  });
}
