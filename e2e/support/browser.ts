import assert from "node:assert/strict";
import process from "node:process";
import { after, type TestContext, test } from "node:test";
import { type Browser, type BrowserContext, type ConsoleMessage, chromium } from "playwright-core";
import { ensureChromium } from "./chromium.ts";
import { type Drawing, endpointVariable, launchOptions } from "./chromium-server.ts";

// One for all test files of this process.
let launched: Promise<Browser> | undefined;

/** What a test of a browser expects. */
export interface BrowserTestOptions extends Drawing {
  /** What its pages provoke on purpose: the policy has to block something, and each violation has to match. */
  readonly provokes?: RegExp;
}

/**
 * Defines a test in a browser. All tests of a file share one browser, that of the run when there is one; each makes its
 * own contexts. A test whose pages are not drawn has its own browser. Without Chromium the test is skipped with the
 * reason, and fails under `CI=true`. A test fails when any page of any context violates its Content Security Policy,
 * unless that is what the test is about (`provokes`).
 */
export function browserTest(
  name: string,
  work: (t: TestContext, browser: Browser) => Promise<void>,
  { provokes, isUndrawn = false }: BrowserTestOptions = {},
): void {
  // At the end of each file: hooks at the top level of a module would belong to the first file of a process that
  // imports it.
  after(closeBrowser);
  test(name, async (t) => {
    const found = await ensureChromium();
    if (found.isThere) {
      const browser = await (isUndrawn
        ? chromium.launch(launchOptions(found.path, { isUndrawn }))
        : theBrowser(found.path));
      const watch = watchPolicies(browser);
      try {
        await work(t, browser);
      } catch (error) {
        if (browser.isConnected()) throw error;
        throw new Error(`Chromium ended during "${name}"`, { cause: error });
      } finally {
        watch.stop();
        if (isUndrawn) await browser.close();
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

/** Collects the Content Security Policy violations of any page of any context; Chromium writes them to the console. */
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

async function closeBrowser(): Promise<void> {
  const closing = launched;
  launched = undefined;
  // A browser that could not be started has failed its tests already.
  await (await closing?.catch(() => undefined))?.close();
}

/** The browser of this process. One that crashed failed the test that it crashed in, and the next test has another. */
async function theBrowser(path: string): Promise<Browser> {
  launched ??= openBrowser(path);
  const browser = await launched;
  if (browser.isConnected()) return browser;
  launched = openBrowser(path);
  return await launched;
}

/** Connects to the browser of the run, or launches one. */
async function openBrowser(path: string): Promise<Browser> {
  const endpoint = process.env[endpointVariable];
  if (!endpoint) return await chromium.launch(launchOptions(path));
  try {
    return await chromium.connect(endpoint);
  } catch (cause) {
    throw new Error(`the Chromium of the run does not answer (${endpointVariable}=${endpoint}): it may have crashed`, {
      cause,
    });
  }
}
