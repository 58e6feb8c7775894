import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { addPerson, sessionOf } from "../../server/test/support/people/people.ts";
import { startServer } from "../../server/test/support/servers/server.ts";
import { browserTest } from "../support/browser.ts";
import { addAuthenticator, loseInterest } from "../support/virtual-authenticator.ts";

/** Waits for what a browser does by itself. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await isSo()); waited += 50) {
    assert.ok(waited < 10_000, isSo.toString());
    await wait(50);
  }
}

browserTest(
  "a passkey signs in by button and by autofill; canceling or an unknown passkey loses nothing",
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
      const sent: string[] = [];
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (request.method() === "POST" && pathname === "/ui/login/key") sent.push(pathname);
      });
      const nothingSent = async () => {
        await page.getByRole("status").filter({ hasText: "Nothing was sent. You can try again" }).waitFor();
        assert.deepEqual(sent, []);
      };
      await page.goto(`${server.origin}/ui/login/key`);
      // Not recognized: the authenticator refuses. Browsers report it like a cancellation, so that pages learn nothing
      // about the user.
      await authenticator.recognise(false);
      await press.click();
      await nothingSent();
      await authenticator.recognise(true);
      // Canceled: the authenticator is not touched, and the browser ends its request.
      await page.reload();
      await authenticator.touch(false);
      await loseInterest(page);
      await press.click();
      await nothingSent();
      // Left in the middle: the user can come back to the page.
      await page.reload();
      const asked = page.waitForResponse("**/ui/login/key/challenge*");
      await press.click();
      await asked;
      await page.reload();
      await authenticator.touch(true);
      // It answers, but without recognition or touch, or cannot sign: browsers pass that on, and it is refused here.
      for (const flaw of ["isBadUV", "isBadUP", "isBogusSignature"] as const) {
        await authenticator.spoil(flaw);
        await Promise.all([page.waitForEvent("load"), press.click()]);
        await page.getByRole("alert").waitFor();
        assert.deepEqual(sent.splice(0), ["/ui/login/key"], flaw);
      }
      assert.equal(await authenticator.countCredentials(), 1, "a passkey that somebody has is not called unknown");
      await authenticator.spoil(undefined);
      await press.click();
      await page.waitForURL("**/ui/login/signed-in");

      // In a browser without a signed-in user, the name field offers it.
      await context.clearCookies();
      await page.goto(`${server.origin}/ui/login`);
      await page.waitForURL("**/ui/login/signed-in");

      // With a name typed, the button of the password page does the same.
      await authenticator.touch(false);
      await context.clearCookies();
      await page.goto(`${server.origin}/ui/login`);
      await page.getByLabel("Email or username").fill(person.loginName);
      await page.getByRole("button", { name: "Continue", exact: true }).click();
      await authenticator.touch(true);
      await page.getByRole("button", { name: "Sign in with a passkey", exact: true }).click();
      await page.waitForURL("**/ui/login/signed-in");

      // The browser hears of a changed name, and of a removed passkey: where the methods are listed, and where it is
      // used in vain.
      const service = "service.user.v2.UserService";
      const { userId } = person;
      const named = { givenName: "Pia", familyName: "Renamed", displayName: "Pia Renamed" };
      await server.connect(`${service}/UpdateUser`, { userId, human: { profile: named } });
      await page.goto(`${server.origin}/ui/account/methods`);
      await until(async () => (await authenticator.credentials())[0]?.userDisplayName === "Pia Renamed");
      assert.equal((await authenticator.credentials()).length, 1, "what is accepted stays");
      const { body } = await server.connect(`${service}/ListPasskeys`, { userId });
      await server.connect(`${service}/RemovePasskey`, { userId, passkeyId: body.result[0].id });
      await context.clearCookies();
      await page.goto(`${server.origin}/ui/login/key`);
      await press.click();
      await page.getByRole("alert").filter({ hasText: "unknown" }).waitFor();
      await until(async () => (await authenticator.credentials()).length === 0);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  },
);
