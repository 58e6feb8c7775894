import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { addPerson, type Person } from "../../server/test/support/people/people.ts";
import { changeSettings } from "../../server/test/support/servers/change-settings.ts";
import { startServer } from "../../server/test/support/servers/server.ts";
import { browserTest } from "../support/browser.ts";
import { axeViolations } from "../support/page-checks.ts";
import { addAuthenticator, loseInterest, loseInterestInNext } from "../support/virtual-authenticator.ts";

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const sees = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

/** Types name and password where the login asks for them. */
async function enter(page: Page, { loginName, password }: Person): Promise<void> {
  await page.getByLabel("Email or username").fill(loginName);
  await press(page, "Continue");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await press(page, "Sign in");
}

browserTest(
  "a security key is added to an account and during sign-in, and asked for after the password",
  async (t, browser) => {
    const server = await startServer(t, { now: Date.now() });
    await changeSettings(server, "login", { secondFactors: ["u2f"] });
    const [ada, bob] = [await addPerson(server, { username: "ada" }), await addPerson(server, { username: "bob" })];
    /** Opens a user's browser, with their key. */
    const open = async (model: "securityKey" | "oldSecurityKey") => {
      const context = await browser.newContext({ locale: "en" });
      t.after(() => context.close());
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      const complaints: string[] = [];
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      return { context, page, complaints, key: await addAuthenticator(page, model) };
    };
    const methodsOf = async ({ userId }: Person) => {
      const method = "service.user.v2.UserService/ListAuthenticationMethodTypes";
      return (await server.connect(method, { userId })).body.authMethodTypes;
    };
    const both = ["AUTHENTICATION_METHOD_TYPE_PASSWORD", "AUTHENTICATION_METHOD_TYPE_U2F"];
    const hers = await open("securityKey");
    {
      const { context, page, key } = hers;
      await page.goto(`${server.origin}/ui/account/security-key`);
      await enter(page, ada);
      await sees(page, "Add a security key");
      // Asked for at once; postponed, and then done on the same page.
      await key.touch(false);
      await loseInterestInNext(page);
      await page.getByLabel("Name", { exact: true }).fill("Blue key");
      await press(page, "Add security key");
      await sees(page, "Use your security key");
      await page.getByRole("status").filter({ hasText: "Nothing was added" }).waitFor();
      assert.deepEqual((await methodsOf(ada)).sort(), both.slice(0, 1));
      // A while after the password: what is added now is asked for from the next time on.
      server.clock.now += 1000;
      await key.touch(true);
      await press(page, "Add security key");
      await sees(page, "How you sign in");
      await page.getByText("Blue key", { exact: true }).waitFor();
      assert.deepEqual((await methodsOf(ada)).sort(), both);

      // The password alone is not enough from now on, and an untouched key counts for nothing.
      await context.clearCookies();
      await page.goto(`${server.origin}/ui/login`);
      await enter(page, ada);
      await sees(page, "Use your security key");
      await key.touch(false);
      await loseInterest(page);
      await press(page, "Continue");
      await page.getByRole("status").filter({ hasText: "Nothing was sent" }).waitFor();
      await key.touch(true);
      await page.reload();
      await press(page, "Continue");
      await page.waitForURL("**/ui/login/signed-in*");
      await page.goto(`${server.origin}/ui/account/activity`);
      const signIns = page.getByRole("listitem").filter({ hasText: /Chrome on Linux · Address [\d.:]+/ });
      const said = (await signIns.allTextContents()).map((text) => text.split("\n", 1)[0]);
      assert.deepEqual(said.slice(0, 2), [
        "A second factor confirmed a sign-in: Security key.",
        "Your password was used to sign in.",
      ]);
    }

    // Where a second factor is required, it is set up on the way in; here with a key of the old kind.
    await changeSettings(server, "login", { forceMfa: true });
    const his = await open("oldSecurityKey");
    {
      const { context, page, complaints } = his;
      await page.goto(`${server.origin}/ui/login`);
      await enter(page, bob);
      await sees(page, "Protect your account");
      assert.equal(new URL(page.url()).pathname, "/ui/login/add-factor");
      await press(page, "Security key");
      await sees(page, "Set up your security key");
      complaints.push(...(await axeViolations(page, [{ colorScheme: "dark", width: 320 }])));
      await press(page, "Continue");
      await page.waitForURL("**/ui/login/signed-in*");
      assert.deepEqual((await methodsOf(bob)).sort(), both);
      await context.clearCookies();
      await page.goto(`${server.origin}/ui/login`);
      await enter(page, bob);
      await sees(page, "Use your security key");
      await press(page, "Continue");
      await page.waitForURL("**/ui/login/signed-in*");

      // An attacker who knows the password and has a key of their own gets no further.
      await context.clearCookies();
      await page.goto(`${server.origin}/ui/login`);
      await enter(page, ada);
      await sees(page, "Use your security key");
      await press(page, "Continue");
      await page.getByRole("status").filter({ hasText: "Nothing was sent" }).waitFor();
      await page.goto(`${server.origin}/ui/account`);
      assert.equal(new URL(page.url()).pathname, "/ui/login");
    }
    for (const { complaints } of [hers, his]) assert.deepEqual(complaints, []);
  },
);
