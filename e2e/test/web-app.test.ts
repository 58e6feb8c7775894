import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { createWebApp } from "../../examples/web-app/server.ts";
import { type OidcServer, startOidcServer } from "../../server/test/support/oidc/oidc.ts";
import { TestBrowser } from "../../server/test/support/sign-in/test-browser.ts";

interface Example {
  readonly server: OidcServer;
  readonly origin: string;
  /** Asks the application as one browser, without following redirects. */
  ask(address: string, method?: "GET" | "POST"): Promise<{ status: number; location: string; html: string }>;
}

/** The example application of examples/web-app, registered and running. */
async function startExample(t: TestContext): Promise<Example> {
  // The library looks at its own clock.
  const server = await startOidcServer(t, { now: Date.now() });
  const settings = { issuer: server.origin, clientId: "", clientSecret: "", origin: "" };
  const application = createWebApp(settings).listen(0, "localhost");
  await once(application, "listening");
  // The port is part of the redirect URI, so the application listens before it is registered.
  settings.origin = `http://localhost:${(application.address() as AddressInfo).port}`;
  application.close();
  const { clientId, clientSecret } = await server.createClient({
    redirectUris: [`${settings.origin}/callback`],
    postLogoutRedirectUris: [`${settings.origin}/`],
  });
  const registered = createWebApp({ ...settings, clientId, clientSecret });
  registered.listen(Number(new URL(settings.origin).port), "localhost");
  await once(registered, "listening");
  t.after(() => {
    registered.close();
    registered.closeAllConnections();
  });
  let cookie = "";
  return {
    server,
    origin: settings.origin,
    ask: async (address, method = "GET") => {
      const response = await fetch(new URL(address, settings.origin), {
        method,
        redirect: "manual",
        headers: { cookie },
      });
      cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0] ?? cookie;
      return { status: response.status, location: response.headers.get("location") ?? "", html: await response.text() };
    },
  };
}

test("the example web application signs in, shows claims, refreshes and signs out", async (t) => {
  const { server, origin, ask } = await startExample(t);
  assert.match((await ask("/")).html, /not signed in/);
  const sent = await ask("/sign-in");
  const browser = new TestBrowser(server);
  const { pathname, search } = new URL(sent.location);
  const name = await browser.open(pathname + search);
  const asked = await browser.submit(name, { login_name: server.user.loginName });
  const returned = await browser.submit(asked, { password: server.user.password });
  assert.ok(returned.address.startsWith(`${origin}/callback?`), returned.address);
  assert.equal((await ask(returned.address)).location, "/");
  const shown = (await ask("/")).html;
  assert.match(shown, /signed in as <strong>Ada Lovelace/);
  assert.match(shown, /ada@example\.com/);
  assert.equal((await ask(returned.address)).location, "/", "the same answer is exchanged twice");

  assert.equal((await ask("/refresh", "POST")).location, "/");
  assert.equal((await ask("/refresh", "POST")).location, "/");
  assert.match((await ask("/")).html, /Ada Lovelace/);

  const out = new URL((await ask("/sign-out", "POST")).location);
  const ended = await browser.open(out.pathname + out.search);
  assert.equal(ended.address, `${origin}/`, ended.html);
  assert.match((await ask("/")).html, /not signed in/);
});

test("the example web application refuses the answer to another browser's request", async (t) => {
  const { server, origin, ask } = await startExample(t);
  await ask("/sign-in");
  const planted = `${origin}/callback?code=dwc_planted&state=planted&iss=${encodeURIComponent(server.origin)}`;
  const { status, html } = await ask(planted);
  assert.equal(status, 502);
  assert.match(html, /role="alert"/);
  assert.match((await ask("/")).html, /not signed in/);
  assert.equal((await ask("/nowhere")).status, 404);
});
