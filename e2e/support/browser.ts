import assert from "node:assert/strict";
import process from "node:process";
import { after, type TestContext, test } from "node:test";
import { type Browser, type BrowserContext, type ConsoleMessage, chromium } from "playwright-core";
import { ensureChromium } from "./chromium.ts";

let launched: Promise<Browser> | undefined;

/** What a test of a browser expects. */
export interface BrowserTestOptions {
  /** What its pages provoke on purpose: the policy has to block something, and each of its complaints has to match. */
  readonly provokes?: RegExp;
}

/**
 * A test in a browser. All tests of a file share one browser; each makes its own contexts. Without Chromium the test is
 * skipped with the reason, and fails under `CI=true`. A test whose pages do what their Content Security Policy forbids fails, whichever page of
 * whichever context it was, unless that is what the test is about (`provokes`).
 */
export function browserTest(
  name: string,
  work: (t: TestContext, browser: Browser) => Promise<void>,
  { provokes }: BrowserTestOptions = {},
): void {
  test(name, async (t) => {
    const found = await ensureChromium();
    if (found.isThere) {
      launched ??= launch(found.path);
      const browser = await launched;
      const watch = watchPolicies(browser);
      try {
        await work(t, browser);
      } finally {
        watch.stop();
      }
      if (provokes !== undefined) assert.notDeepEqual(watch.violations, [], "nothing was blocked");
      assert.deepEqual(
        watch.violations.filter((violation) => provokes?.test(violation) !== true),
        [],
        "a page did what its Content Security Policy forbids",
      );
      return;
    }
    if (process.env["CI"] === "true") throw new Error(`no browser: ${found.reason}`);
    t.skip(found.reason);
  });
}

/** Collects what any page of any context has to say of its Content Security Policy; Chromium writes each violation to the console. */
function watchPolicies(browser: Browser): { readonly violations: readonly string[]; stop(): void } {
  const violations: string[] = [];
  const read = (message: ConsoleMessage): void => {
    const text = message.text();
    if (text.includes("Content Security Policy")) violations.push(`${message.page()?.url()}: ${text}`);
  };
  const follow = (context: BrowserContext): void => void context.on("console", read);
  for (const context of browser.contexts()) follow(context);
  browser.on("context", follow);
  return {
    violations,
    stop: () => {
      browser.off("context", follow);
      for (const context of browser.contexts()) context.off("console", read);
    },
  };
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
