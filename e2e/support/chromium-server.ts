import { chromium, type LaunchOptions } from "playwright-core";
import { ensureChromium } from "./chromium.ts";

/** Names the environment variable that tells test files where the Chromium of the run is. */
export const endpointVariable = "DOORWARD_TEST_CHROMIUM_ENDPOINT";

/** A Chromium that several processes use. */
export interface ChromiumServer {
  /** What `DOORWARD_TEST_CHROMIUM_ENDPOINT` is set to. */
  readonly endpoint: string;
  readonly pid: number | undefined;
  close(): Promise<void>;
}

/**
 * Starts one Chromium for a whole run. Each process that connects sees the contexts that it makes, and no others; they
 * are closed when it disconnects. The endpoint's path is random, so that only processes of the run find it.
 */
export async function startChromiumServer(): Promise<ChromiumServer> {
  const found = await ensureChromium();
  if (!found.isThere) throw new Error(`no browser: ${found.reason}`);
  const server = await chromium.launchServer({ ...launchOptions(found.path), host: "127.0.0.1" });
  return { endpoint: server.wsEndpoint(), pid: server.process().pid, close: () => server.close() };
}

const disabledFeatures = [
  "OptimizationHints",
  "MediaRouter",
  "Translate",
  "AutofillServerCommunication",
  // A process in reserve for each navigation costs more than it saves where processors are scarce.
  "SpareRendererForSitePerProcess",
];

/** How much of a page is drawn. */
export interface Drawing {
  /**
   * Whether pages are only laid out. They take a quarter less processor time, but show no frames, which clicks and
   * scripts of animations wait for.
   */
  readonly isUndrawn?: boolean;
}

/** How tests launch Chromium. */
export const launchOptions = (executablePath: string, { isUndrawn = false }: Drawing = {}): LaunchOptions => ({
  executablePath,
  headless: true,
  args: [
    // Root has no sandbox; and no request may go to any server but the one under test.
    "--no-sandbox",
    "--disable-gpu",
    ...(isUndrawn ? ["--disable-threaded-compositing"] : []),
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    `--disable-features=${disabledFeatures.join()}`,
    "--metrics-recording-only",
    "--disable-dev-shm-usage",
  ],
});
