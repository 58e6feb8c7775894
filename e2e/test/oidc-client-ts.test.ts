import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import type { Browser, Page } from "playwright-core";
import { createExampleServer } from "../../examples/spa/server.ts";
import { type OidcServer, startOidcServer } from "../../server/test/support/oidc/oidc.ts";
import { browserTest } from "../support/browser.ts";

/** The example application of examples/spa, registered and running. */
async function startExample(t: TestContext): Promise<{ server: OidcServer; origin: string; clientId: string }> {
  // The library looks at its own clock.
  const server = await startOidcServer(t, { now: Date.now() });
  const settings = { issuer: server.origin, clientId: "" };
  // The port is part of the redirect URI, so the application listens before it is registered.
  const application = createExampleServer(settings).listen(0, "localhost");
  await once(application, "listening");
  const origin = `http://localhost:${(application.address() as AddressInfo).port}`;
  const { clientId } = await server.createClient({
    applicationType: "OIDC_APP_TYPE_USER_AGENT",
    authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
    redirectUris: [`${origin}/`],
    postLogoutRedirectUris: [`${origin}/`],
    developmentMode: true,
  });
  application.close();
  const registered = createExampleServer({ ...settings, clientId }).listen(Number(new URL(origin).port), "localhost");
  await once(registered, "listening");
  t.after(() => registered.close());
  return { server, origin, clientId };
}

async function signIn(page: Page, server: OidcServer): Promise<void> {
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("Email or username").fill(server.user.loginName);
  await page.keyboard.press("Enter");
  await page.getByLabel("Password", { exact: true }).fill(server.user.password);
  await page.keyboard.press("Enter");
}

const says = (page: Page, text: string): Promise<void> =>
  page.getByText(text, { exact: true }).waitFor({ timeout: 20_000 });

browserTest("oidc-client-ts: sign-in, silent renewal by refresh token, sign-out", async (t, browser: Browser) => {
  const { server, origin } = await startExample(t);
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(origin);
  await says(page, "Not signed in");
  await signIn(page, server);
  await says(page, "Signed in as Ada Lovelace");
  assert.equal(new URL(page.url()).search, "");
  const claims = JSON.parse((await page.locator("#claims").textContent()) ?? "{}");
  assert.equal(claims.sub, server.user.userId);
  assert.equal(claims.email, "ada@example.com");

  await page.getByRole("button", { name: "Renew" }).click();
  await says(page, "Signed in as Ada Lovelace (renewed)");

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(`${origin}/**`);
  await says(page, "Not signed in");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("Email or username").waitFor({ timeout: 20_000 });
});

browserTest("oidc-client-ts: a signed-in user is not asked again", async (t, browser) => {
  const { server, origin } = await startExample(t);
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(origin);
  await signIn(page, server);
  await says(page, "Signed in as Ada Lovelace");
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(origin);
  await page.getByRole("button", { name: "Sign in" }).click();
  await says(page, "Signed in as Ada Lovelace");
});
