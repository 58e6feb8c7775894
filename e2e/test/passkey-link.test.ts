import assert from "node:assert/strict";
import { addPerson, sessionOf } from "../../server/test/support/people/people.ts";
import { startServer } from "../../server/test/support/servers/server.ts";
import { browserTest } from "../support/browser.ts";
import { axeViolations } from "../support/page-checks.ts";
import { addAuthenticator } from "../support/virtual-authenticator.ts";

browserTest("a link in a message adds a passkey, even after the user canceled once", async (t, browser) => {
  const server = await startServer(t, { now: Date.now() });
  const person = await addPerson(server, { username: "pia" });
  const { token } = await sessionOf(server, person);
  const made = await server.rest("POST", "/auth/v1/users/me/passwordless/_link", { token, body: {} });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const context = await browser.newContext({ locale: "en" });
  const complaints: string[] = [];
  try {
    const page = await context.newPage();
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    const authenticator = await addAuthenticator(page);
    await page.goto(made.body.link);
    complaints.push(...(await axeViolations(page, [{ colorScheme: "light", width: 1280 }])));
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    const create = page.getByRole("button", { name: "Create passkey", exact: true });
    await create.waitFor();
    complaints.push(...(await axeViolations(page, [{ colorScheme: "dark", width: 320 }])));
    await create.click();
    await page.getByRole("status").waitFor();
    await authenticator.recognise(true);
    await page.getByLabel("Name of the passkey", { exact: true }).fill("Phone");
    await create.click();
    await page.waitForURL("**/ui/login/passkey/done");
    assert.equal(await authenticator.countCredentials(), 1);
    const { body } = await server.rest("POST", "/auth/v1/users/me/passwordless/_search", { token, body: {} });
    assert.deepEqual(
      body.result.map(({ name, state }: { name: string; state: string }) => [name, state]),
      [["Phone", "AUTH_FACTOR_STATE_READY"]],
    );
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
});
