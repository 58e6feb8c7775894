import assert from "node:assert/strict";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";

browserTest("the console adds a mail server without using it, and asks before it sends mail", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  const { page, open } = await console.openAs(owner);
  const dialog = page.getByRole("dialog");
  const states = async (): Promise<string[]> => {
    const { body } = await server.rest("POST", "/admin/v1/email/_search", { body: {} });
    return (body.result ?? []).map(({ state }: { readonly state: string }) => state);
  };
  const add = async (host: string) => {
    await page.getByRole("button", { name: "Add mail server" }).click();
    for (const [label, value] of Object.entries({
      "Host and port": host,
      "Sender address": "login@localhost",
      "Sender name": "Login",
    })) {
      await dialog.getByLabel(label).fill(value);
    }
    await dialog.getByLabel("Authentication").selectOption({ label: "None" });
    await dialog.getByRole("button", { name: "Add mail server" }).click();
    await page.getByRole("heading", { name: "Mail server added" }).waitFor();
  };
  await open("/settings/mail");
  const before = await states();
  await add("smtp.example.com:587");
  assert.equal((await states()).filter((state) => state.endsWith("_INACTIVE")).length, 1);
  assert.equal((await states()).length, before.length + 1);
  await dialog.getByRole("button", { name: "Send a test" }).click();
  await dialog.getByLabel("Send the test to").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.getByRole("button", { name: "Send mail through this server" }).click();
  await page.getByRole("row", { name: /smtp.example.com.*Sends mail/ }).waitFor();
  await add("smtp.example.org:587");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("row", { name: /smtp.example.org.*Not used/ }).waitFor();
  console.assertQuiet();
});
