import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import * as client from "openid-client";
import type { Browser } from "playwright-core";
import { inboxOf } from "../../server/test/factor/support.ts";
import { goodPassword } from "../../server/test/support/people/people.ts";
import { startServer } from "../../server/test/support/servers/server.ts";
import { addClient } from "../../server/test/support/sign-in/sign-in-client.ts";
import { browserTest } from "../support/browser.ts";
import { axeViolations } from "../support/page-checks.ts";
import { serveShop } from "../support/shop.ts";

const redirectUri = "https://shop.example/callback";

/** A person without an account makes one on the way to an application, and is known there. */
async function walk(t: TestContext, browser: Browser, hasScript: boolean): Promise<void> {
  const server = await startServer(t, { now: Date.now() });
  const shop = await addClient(server);
  const configuration = await client.discovery(new URL(server.origin), shop.clientId, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const start = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: "openid profile email",
    prompt: "create",
    state: "s",
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const context = await browser.newContext({ javaScriptEnabled: hasScript, locale: "en" });
  const complaints: string[] = [];
  try {
    const page = await context.newPage();
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await serveShop(page);
    const fill = async (fields: Readonly<Record<string, string>>): Promise<void> => {
      for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
    };
    await page.goto(start.href);
    await page.getByRole("heading", { level: 1, name: "Create your account", exact: true }).waitFor();
    if (hasScript) complaints.push(...(await axeViolations(page, [{ colorScheme: "light", width: 1280 }])));
    await fill({ "First name": "Grace", "Last name": "Hopper", "Email address": "grace@", Password: goodPassword });
    if (!hasScript) await fill({ "Confirm new password": goodPassword });
    await page.getByRole("button", { name: "Create account", exact: true }).click();
    await page.getByRole("alert").waitFor();
    assert.match(await page.title(), /^Error: Create your account/);
    assert.equal(await page.inputValue("#family_name"), "Hopper", "what was entered is still there");
    assert.equal(await page.inputValue("#password"), "");
    if (hasScript) complaints.push(...(await axeViolations(page, [{ colorScheme: "dark", width: 320 }])));
    await fill({ "Email address": "grace@mail.example", Password: goodPassword });
    if (!hasScript) await fill({ "Confirm new password": goodPassword });
    await page.getByRole("button", { name: "Create account", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Confirm your email address", exact: true }).waitFor();
    if (hasScript) complaints.push(...(await axeViolations(page, [{ colorScheme: "light", width: 320 }])));
    const [message] = await inboxOf(server, "grace@mail.example");
    await fill({ Code: message.code });
    await page.getByRole("button", { name: "Confirm", exact: true }).click();
    await page.waitForURL("https://shop.example/**");
    const checks = { pkceCodeVerifier, expectedState: "s" };
    const tokens = await client.authorizationCodeGrant(configuration, new URL(page.url()), checks);
    const { sub = "" } = tokens.claims() ?? {};
    const info = await client.fetchUserInfo(configuration, tokens.access_token, sub);
    assert.deepEqual([info.name, info.email, info.email_verified], ["Grace Hopper", "grace@mail.example", true]);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

browserTest("a user creates an account on the way to an application", (t, browser) => walk(t, browser, true));

browserTest("the same without JavaScript", (t, browser) => walk(t, browser, false));
