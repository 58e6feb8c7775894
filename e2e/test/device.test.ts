import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import * as client from "openid-client";
import type { Browser, Page } from "playwright-core";
import { type DeviceServer, startDeviceServer } from "../../server/test/oauth/device/support.ts";
import { browserTest } from "../support/browser.ts";
import { axeViolations } from "../support/page-checks.ts";

const insecure = { execute: [client.allowInsecureRequests] };

/** Starts a server with a running clock, because the library waits between its requests. */
async function start(t: TestContext): Promise<DeviceServer> {
  const server = await startDeviceServer(t, { now: Date.now() });
  const timer = setInterval(() => {
    server.clock.now = Date.now();
  }, 20);
  t.after(() => clearInterval(timer));
  return server;
}

const discover = (server: DeviceServer): Promise<client.Configuration> =>
  client.discovery(new URL(server.origin), server.device.clientId, undefined, client.None(), insecure);

async function decide(t: TestContext, browser: Browser, hasScript: boolean, decision: "Allow" | "Deny") {
  const server = await start(t);
  const configuration = await discover(server);
  const waiting = await client.initiateDeviceAuthorization(configuration, { scope: "openid profile offline_access" });
  const tokens = client.pollDeviceAuthorizationGrant(configuration, waiting).catch((error: unknown) => error);
  const context = await browser.newContext({ javaScriptEnabled: hasScript, locale: "en" });
  const complaints: string[] = [];
  try {
    const page = await context.newPage();
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    const sees = async (heading: string): Promise<void> => {
      await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor({ timeout: 10_000 });
      if (hasScript) complaints.push(...(await axeViolations(page, [{ colorScheme: "light", width: 1280 }])));
    };
    await page.goto(decision === "Allow" ? waiting.verification_uri : (waiting.verification_uri_complete ?? ""));
    await sees("Connect a device");
    if (decision === "Allow") await fill(page, "Code", waiting.user_code.toLowerCase());
    await press(page, "Continue");
    await sees("Sign in");
    await fill(page, "Email or username", "ada");
    await press(page, "Continue");
    await sees("Enter your password");
    await fill(page, "Password", server.user.password);
    await press(page, "Sign in");
    await sees("Allow this device?");
    assert.ok(await page.getByText(waiting.user_code, { exact: true }).isVisible());
    await press(page, decision);
    await sees(decision === "Allow" ? "The device is connected" : "The device was denied");
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
  return { server, configuration, outcome: await tokens };
}

// As soon as the page has put the cursor there; Chromium complains of a page that finds it elsewhere.
async function fill(page: Page, label: string, value: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await field.and(page.locator(":focus")).waitFor();
  await field.fill(value);
}

const press = (page: Page, name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();

browserTest("openid-client on a device, a user in a browser: allowed", async (t, browser) => {
  const { server, configuration, outcome } = await decide(t, browser, true, "Allow");
  const tokens = outcome as client.TokenEndpointResponse & client.TokenEndpointResponseHelpers;
  assert.equal(tokens.claims()?.sub, server.user.userId);
  const info = await client.fetchUserInfo(configuration, tokens.access_token, server.user.userId);
  assert.equal(info.preferred_username, server.user.loginName);
  const refreshed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? "");
  assert.equal(refreshed.claims()?.sub, server.user.userId);
});

browserTest("the same without JavaScript, by the complete link: refused", async (t, browser) => {
  const { outcome } = await decide(t, browser, false, "Deny");
  assert.ok(outcome instanceof client.ResponseBodyError, String(outcome));
  assert.equal(outcome.error, "access_denied");
});

test("openid-client exchanges a token for a narrower one", async (t) => {
  const server = await start(t);
  const application = await server.createClient({
    grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_TOKEN_EXCHANGE"],
  });
  const { access_token: subject = "" } = await server.tokens({ client: application, scope: "openid profile email" });
  const configuration = await client.discovery(
    new URL(server.origin),
    application.clientId,
    undefined,
    client.ClientSecretBasic(application.clientSecret),
    insecure,
  );
  const exchanged = await client.genericGrantRequest(configuration, "urn:ietf:params:oauth:grant-type:token-exchange", {
    subject_token: subject,
    subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
    requested_token_type: "urn:ietf:params:oauth:token-type:jwt",
    audience: application.clientId,
    scope: "openid profile",
  });
  assert.equal(exchanged["issued_token_type"], "urn:ietf:params:oauth:token-type:jwt");
  const introspected = await client.tokenIntrospection(configuration, exchanged.access_token);
  assert.deepEqual(
    [introspected.active, introspected.aud, introspected.scope],
    [true, [application.clientId], "openid profile"],
  );
});
