import assert from "node:assert/strict";
import { inboxOf } from "../../server/test/factor/support.ts";
import { startServer } from "../../server/test/support/servers/server.ts";
import { addClient } from "../../server/test/support/sign-in/sign-in-client.ts";
import { browserTest } from "../support/browser.ts";
import { axeViolations } from "../support/page-checks.ts";
import { serveShop } from "../support/shop.ts";
import { addAuthenticator } from "../support/virtual-authenticator.ts";

browserTest(
  "a user creates an account with a passkey and no password, and signs in with it alone",
  async (t, browser) => {
    const server = await startServer(t, { now: Date.now() });
    const shop = await addClient(server);
    const context = await browser.newContext({ locale: "en" });
    const complaints: string[] = [];
    try {
      const page = await context.newPage();
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      await serveShop(page);
      const authenticator = await addAuthenticator(page);
      await page.goto(server.origin + shop.start({ prompt: "create" }).path);
      const fields = { "First name": "Grace", "Last name": "Hopper", "Email address": "grace@mail.example" };
      for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
      await page.getByRole("button", { name: "Create account with a passkey", exact: true }).click();
      const create = page.getByRole("button", { name: "Create passkey", exact: true });
      await create.waitFor();
      complaints.push(...(await axeViolations(page, [{ colorScheme: "dark", width: 320 }])));
      // Who is not recognized, or cancels, can try again.
      await create.click();
      await page.getByRole("status").waitFor();
      await authenticator.recognise(true);
      await create.click();
      await page.getByRole("heading", { level: 1, name: "Confirm your email address", exact: true }).waitFor();
      const [message] = await inboxOf(server, "grace@mail.example");
      await page.getByLabel("Code", { exact: true }).fill(message.code);
      await page.getByRole("button", { name: "Confirm", exact: true }).click();
      await page.waitForURL("https://shop.example/**");
      assert.equal(await authenticator.countCredentials(), 1);
      await context.clearCookies();
      // The name field offers it from then on.
      await page.goto(`${server.origin}/ui/login`);
      await page.waitForURL("**/ui/login/signed-in");
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  },
);
