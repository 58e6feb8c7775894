import assert from "node:assert/strict";
import { addPerson, sessionOf } from "../../server/test/support/people.ts";
import { startServer } from "../../server/test/support/server.ts";
import { browserTest } from "../support/browser.ts";
import { addAuthenticator } from "../support/virtual-authenticator.ts";

browserTest(
  "a passkey signs in by button and by what the browser fills in; cancelling loses nothing",
  async (t, browser) => {
    const server = await startServer(t, { now: Date.now() });
    const person = await addPerson(server, { username: "pia" });
    const { token } = await sessionOf(server, person);
    const made = await server.rest("POST", "/auth/v1/users/me/passwordless/_link", { token, body: {} });
    const context = await browser.newContext({ locale: "en" });
    const complaints: string[] = [];
    try {
      const page = await context.newPage();
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      const authenticator = await addAuthenticator(page);
      await authenticator.recognise(true);
      await page.goto(made.body.link);
      await page.getByRole("button", { name: "Continue", exact: true }).click();
      await page.getByRole("button", { name: "Create passkey", exact: true }).click();
      await page.waitForURL("**/ui/login/passkey/done");

      const press = page.getByRole("button", { name: "Continue", exact: true });
      await authenticator.recognise(false);
      await page.goto(`${server.origin}/ui/login/key`);
      await press.click();
      await page.getByRole("alert").waitFor();
      assert.match((await page.getByRole("alert").textContent()) ?? "", /Nothing was sent/);
      await authenticator.recognise(true);
      await press.click();
      await page.waitForURL("**/ui/login/signed-in");

      // In a browser where nobody is signed in, the name field offers it.
      await context.clearCookies();
      await page.goto(`${server.origin}/ui/login`);
      await page.waitForURL("**/ui/login/signed-in");

      // With a name typed, the button of the password page does the same.
      await authenticator.touch(false);
      await context.clearCookies();
      await page.goto(`${server.origin}/ui/login`);
      await page.getByLabel("Login name").fill(person.loginName);
      await page.getByRole("button", { name: "Continue", exact: true }).click();
      await authenticator.touch(true);
      await page.getByRole("button", { name: "Sign in with a passkey", exact: true }).click();
      await page.waitForURL("**/ui/login/signed-in");
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  },
);
