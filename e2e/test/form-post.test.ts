import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { startServer } from "../../server/test/support/servers/server.ts";
import { addClient } from "../../server/test/support/sign-in/sign-in-client.ts";
import { browserTest } from "../support/browser.ts";
import { axeViolations } from "../support/page-checks.ts";

/** An application on another origin that takes its answers as forms, and leads on to a page of its own. */
async function startApplication(t: TestContext): Promise<{ origin: string; bodies: URLSearchParams[] }> {
  const bodies: URLSearchParams[] = [];
  const application = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      response.setHeader("content-type", "text/html");
      if (request.method !== "POST") return response.end("<title>Shop</title><h1>Shop</h1>");
      bodies.push(new URLSearchParams(body));
      return response.writeHead(303, { location: "/home" }).end();
    });
  });
  await new Promise<void>((resolve) => application.listen(0, "127.0.0.1", resolve));
  t.after(() => application.close());
  return { origin: `http://127.0.0.1:${(application.address() as AddressInfo).port}`, bodies };
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "by its script" : "by the press of its button, without a script";
  browserTest(`form_post: a real browser posts the response to the client, ${how}`, async (t, browser) => {
    const server = await startServer(t);
    const application = await startApplication(t);
    const client = await addClient(server, { redirectUris: [`${application.origin}/callback`] });
    const context = await browser.newContext({ javaScriptEnabled });
    t.after(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    const state = `"><b>'&=`;
    const { path } = client.start({
      redirect_uri: `${application.origin}/callback`,
      response_mode: "form_post",
      prompt: "none",
      state,
    });
    await page.goto(server.origin + path);
    if (!javaScriptEnabled) {
      await page.getByRole("heading", { level: 1, name: "Returning to the application" }).waitFor();
      await page.getByRole("button", { name: "Continue" }).click();
    }
    await page.waitForURL(`${application.origin}/home`);
    assert.equal(application.bodies.length, 1);
    const answer = Object.fromEntries(application.bodies[0] ?? []);
    assert.deepEqual([answer["error"], answer["state"], answer["iss"]], ["login_required", state, server.origin]);
    assert.deepEqual(complaints, []);
  });
}

browserTest(
  "form_post: the page is at most 2 kB, and axe finds nothing on it, even in dark mode and on a small screen",
  async (t, browser) => {
    const server = await startServer(t);
    const { origin } = await startApplication(t);
    const client = await addClient(server, { redirectUris: [`${origin}/callback`] });
    const page = await (await browser.newContext()).newPage();
    t.after(() => page.context().close());
    // Held at our page: the form is not let through.
    await page.route(`${origin}/**`, (route) => route.fulfill({ status: 204 }));
    const { path } = client.start({ redirect_uri: `${origin}/callback`, response_mode: "form_post", prompt: "none" });
    const answer = await page.goto(server.origin + path, { waitUntil: "commit" });
    const size = (await answer?.body())?.length ?? Number.NaN;
    assert.ok(size <= 2048, `${size} bytes`);
    await page.getByRole("heading", { level: 1, name: "Returning to the application" }).waitFor();
    const looks = [
      { colorScheme: "light", width: 1280 },
      { colorScheme: "dark", width: 320 },
    ] as const;
    assert.deepEqual(await axeViolations(page, looks), []);
  },
);
