import type { Page } from "playwright-core";

/**
 * Answers for the application that users sign in to, whichever request leads there. Routes of Playwright would stop
 * every request, including those to the server, switch off the cache, and pass over what a redirect leads to in the
 * headless shell.
 */
export async function serveShop(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const body = Buffer.from("<title>Shop</title><h1 id='came'>Shop</h1>").toString("base64");
  const responseHeaders = [{ name: "content-type", value: "text/html" }];
  session.on("Fetch.requestPaused", ({ requestId }) => {
    // What the page gave up meanwhile needs no answer.
    session
      .send("Fetch.fulfillRequest", { requestId, responseCode: 200, responseHeaders, body })
      .catch(() => undefined);
  });
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "https://shop.example/*" }] });
}
