import assert from "node:assert/strict";
import { callUser } from "../../server/test/factor/support.ts";
import { addPerson, type Person } from "../../server/test/support/people/people.ts";
import { startServer } from "../../server/test/support/servers/server.ts";
import { addClient } from "../../server/test/support/sign-in/sign-in-client.ts";
import { browserTest } from "../support/browser.ts";
import { startExpressApp } from "../support/relying-party.ts";
import { addAuthenticator } from "../support/virtual-authenticator.ts";

browserTest("two users of one device each sign in with their own passkey and no other", async (t, browser) => {
  const server = await startServer(t, { now: Date.now() });
  const { app, origin } = await startExpressApp(t);
  app.get(["/callback", "/favicon.ico"], (_request, response) => void response.send("<title>Shop</title><p>back</p>"));
  const redirectUri = `${origin}/callback`;
  const shop = await addClient(server, { redirectUris: [redirectUri] });
  const [ada, bob] = [await addPerson(server, { username: "ada" }), await addPerson(server, { username: "bob" })];
  const context = await browser.newContext({ locale: "en" });
  const complaints: string[] = [];
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    const authenticator = await addAuthenticator(page);
    await authenticator.recognise(true);
    const addPasskey = async ({ userId }: Person) => {
      const link = { userId, returnCode: {} };
      const { code } = await callUser(server, "CreatePasskeyRegistrationLink", link);
      await page.goto(`${server.origin}/ui/login/passkey?user=${userId}&id=${code.id}&code=${code.code}`);
      await page.getByRole("button", { name: "Continue", exact: true }).click();
      await page.getByRole("button", { name: "Create passkey", exact: true }).click();
      await page.waitForURL("**/ui/login/passkey/done");
    };
    /**
     * Starts at the shop in a browser without a signed-in user, enters a name and presses the button for passkeys.
     */
    const name = async ({ loginName }: Person) => {
      // A page that still asks the server for a challenge would ask without its cookie.
      await page.goto("about:blank");
      await context.clearCookies();
      const { path, codeVerifier } = shop.start();
      // The name field offers passkeys too: none is chosen there.
      await authenticator.touch(false);
      await page.goto(server.origin + path);
      await page.getByLabel("Email or username").fill(loginName);
      await page.getByRole("button", { name: "Continue", exact: true }).click();
      // Not before: the page of the name may still be there, and would take a passkey by itself.
      const button = page.getByRole("button", { name: "Sign in with a passkey", exact: true });
      await button.waitFor();
      await authenticator.touch(true);
      await button.click();
      return codeVerifier;
    };
    const arrived = async (codeVerifier: string): Promise<string> => {
      await page.waitForURL(`${redirectUri}**`);
      const { body } = await shop.exchange(page.url(), codeVerifier);
      return JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString()).sub;
    };
    const refused = async () => {
      const alert = page.getByRole("alert").filter({ hasText: "belongs to a different account" });
      await alert.waitFor();
      assert.equal(new URL(page.url()).pathname, "/ui/login/key");
      // The browser is told nothing of a passkey that belongs to a user: it stays.
      assert.equal(await page.locator("[data-passkey-signals]").count(), 0);
      await authenticator.touch(false);
      // No user was signed in, neither the named one nor the owner of the passkey.
      await page.goto(`${server.origin}/ui/account`);
      assert.equal(new URL(page.url()).pathname, "/ui/login");
    };

    await addPasskey(ada);
    await name(bob);
    await refused();
    assert.equal(await arrived(await name(ada)), ada.userId);

    await context.clearCookies();
    await addPasskey(bob);
    const names = (await authenticator.credentials()).map(({ userName }) => userName);
    assert.deepEqual(names.sort(), [ada.loginName, bob.loginName].sort());
    // Without a name, the passkey identifies the user. A browser without a window takes one by itself, always the
    // same.
    await context.clearCookies();
    await authenticator.touch(true);
    const { path, codeVerifier } = shop.start();
    await page.goto(server.origin + path);
    const taken = await arrived(codeVerifier);
    const [holder, other] = taken === ada.userId ? [ada, bob] : [bob, ada];
    assert.equal(taken, holder.userId);
    assert.equal(await arrived(await name(holder)), holder.userId);
    // The named user does not become the owner of the used passkey, though they have one of their own here.
    await name(other);
    await refused();
    // With that one removed, the browser takes the right one, as a user would choose it.
    await authenticator.forget(holder.loginName);
    assert.equal(await arrived(await name(other)), other.userId);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
});
