import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { callUser } from "../../server/test/factor/support.ts";
import { addPerson, sessionOf } from "../../server/test/support/people/people.ts";
import { appCode } from "../../server/test/support/sign-in/totp.ts";
import { browserTest } from "../support/browser.ts";
import { startLoginApp } from "../support/login-app.ts";
import { axeViolations, sidewaysScroll } from "../support/page-checks.ts";
import { addAuthenticator } from "../support/virtual-authenticator.ts";

/** Waits for a page of the login and looks at it in both schemes and narrow. */
async function sees(page: Page, heading: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
  const looks = [
    { colorScheme: "light", width: 1280 },
    { colorScheme: "dark", width: 320 },
  ] as const;
  assert.deepEqual(
    [heading, ...(await axeViolations(page, looks)), ...(await sidewaysScroll(page, "smallest"))],
    [heading],
  );
}

const press = (page: Page, name: string | RegExp): Promise<void> => page.getByRole("button", { name }).first().click();

browserTest("users sign in to an application through the example login", async (t, browser) => {
  const { server, login, shop, authorize } = await startLoginApp(t);
  const [ada, pia] = [await addPerson(server, { username: "ada.l" }), await addPerson(server, { username: "pia" })];
  const { secret } = await callUser(server, "RegisterTOTP", { userId: ada.userId });
  const used = appCode(secret, server.clock.now);
  await callUser(server, "VerifyTOTPRegistration", { userId: ada.userId, code: used });
  const { token } = await sessionOf(server, pia);
  const { body: made } = await server.rest("POST", "/auth/v1/users/me/passwordless/_link", { token, body: {} });
  server.clock.now += 60_000;

  const context = await browser.newContext({ locale: "en" });
  const complaints: string[] = [];
  try {
    const page = await context.newPage();
    page.on("console", (message) => complaints.push(`${page.url()}: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
    const signedIn = (who: string) => page.getByText(`You are signed in as ${who} Example`).waitFor();

    await t.test("with password and authenticator app", async () => {
      await page.goto(`${shop}/sign-in`);
      await sees(page, "Sign in");
      assert.ok(page.url().startsWith(login));
      await page.getByLabel("Email or username").fill(ada.loginName);
      await press(page, "Continue");
      await sees(page, "Enter your password");
      await page.getByLabel("Password").fill("not the password");
      await press(page, "Sign in");
      await page.getByRole("alert").filter({ hasText: "wrong" }).waitFor();
      await sees(page, "Enter your password");
      await page.getByLabel("Password").fill(ada.password);
      await press(page, "Sign in");
      await sees(page, "Authenticator app");
      await page.getByLabel("Code").fill(appCode(secret, server.clock.now));
      await press(page, "Continue");
      await page.waitForURL(`${shop}/**`);
      await signedIn("ada.l");
    });

    await t.test("with a passkey, canceled once, after which a session is picked without typing", async () => {
      const authenticator = await addAuthenticator(page);
      await authenticator.recognise(true);
      await page.goto(made.link);
      await press(page, "Continue");
      await press(page, "Create passkey");
      await page.waitForURL("**/ui/login/passkey/done");

      await page.goto(authorize({ prompt: "select_account" }));
      await sees(page, "Choose an account");
      await page.getByRole("link", { name: "Use another account" }).click();
      await page.getByLabel("Email or username").fill(pia.loginName);
      await press(page, "Continue");
      await press(page, "Use a passkey");
      await sees(page, "Use a passkey");
      await authenticator.recognise(false);
      await press(page, "Continue");
      await page.getByText("Nothing was sent.").waitFor();
      await authenticator.recognise(true);
      await press(page, "Continue");
      await page.waitForURL(`${shop}/**`);

      for (const [account, who] of [
        [/pia/, "pia"],
        [/ada\.l/, "ada.l"],
      ] as const) {
        await page.goto(`${shop}/sign-in`);
        await sees(page, "Choose an account");
        await press(page, account);
        await signedIn(who);
      }
    });

    await t.test("and are signed out when they say so, and led back to the application (A23)", async () => {
      await press(page, "Sign out");
      await sees(page, "Sign out");
      assert.ok(page.url().startsWith(login));
      await page.getByText(ada.loginName).waitFor();
      await press(page, "Sign out");
      await sees(page, "You are signed out");
      await page.getByRole("link", { name: "Go on to" }).click();
      await page.getByText("You are not signed in").waitFor();
      await page.goto(`${shop}/sign-in`);
      await sees(page, "Sign in");
    });
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
});
