import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import express, { type Express } from "express";
import type { OidcServer } from "../../server/test/support/oidc/oidc.ts";
import { TestBrowser } from "../../server/test/support/sign-in/test-browser.ts";

/** An application of a test that a browser can visit. */
export interface ExpressApp {
  readonly app: Express;
  readonly origin: string;
  /** A browser on the application: what leads away from it is the page that is returned. */
  readonly browser: TestBrowser;
}

/** Listens before anything is configured, because the port is part of the redirect URI. */
export async function startExpressApp(t: TestContext): Promise<ExpressApp> {
  const app = express();
  const listening = app.listen(0, "127.0.0.1");
  await once(listening, "listening");
  t.after(() => {
    listening.closeAllConnections();
    listening.close();
  });
  const origin = `http://localhost:${(listening.address() as AddressInfo).port}`;
  return { app, origin, browser: new TestBrowser({ origin }) };
}

/**
 * Signs the user in with the forms of the hosted pages, consents to everything, and returns where the browser is sent.
 */
export async function signInByForms(
  server: OidcServer,
  address: string,
  person = new TestBrowser(server),
): Promise<string> {
  const url = new URL(address);
  assert.equal(url.origin, server.origin, address);
  const name = await person.open(url.pathname + url.search);
  const asked = await person.submit(name, { login_name: server.user.loginName });
  const after = await person.submit(asked, { password: server.user.password });
  const isAskedForConsent = after.address.startsWith("/ui/login/consent?");
  const returned = isAskedForConsent ? await person.submit(after, { decision: "allow" }) : after;
  assert.ok(URL.canParse(returned.address), returned.html);
  return returned.address;
}
