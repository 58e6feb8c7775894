import assert from "node:assert/strict";
import { enter, visit } from "../../../server/test/login/support/sign-in.ts";
import { addOrganization, addPerson } from "../../../server/test/support/people/people.ts";
import { changeSettings } from "../../../server/test/support/servers/change-settings.ts";
import { addClient } from "../../../server/test/support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../../../server/test/support/sign-in/test-browser.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const looks = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 320 },
] as const;

browserTest("the console shows why a sign-in failed, and finds it by its reference", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  const organizationId = await addOrganization(server, "Acme");
  const ada = await addPerson(server, { username: "ada", organizationId });
  await changeSettings(server, "lockout", { maxPasswordAttempts: 2 }, organizationId);
  const client = await addClient(server, {}, "Shop");
  const visitor = await visit(server, client);
  const wrong = await enter(visitor, { ...ada, password: "wrong" });
  await visitor.browser.submit(wrong, { password: "wrong again" }, { action: "/ui/login/password" });
  const bea = await addPerson(server, { username: "bea", organizationId });
  const second = await visit(server, client);
  const again = await enter(second, { ...bea, password: "wrong" });
  await second.browser.submit(again, { password: bea.password }, { action: "/ui/login/password" });
  await enter(await visit(server, client), { loginName: "nobody@acme.localhost", password: "wrong" });
  const { path } = client.start({ redirect_uri: "https://shop.example/elsewhere" });
  const { html } = await new TestBrowser(server).open(path);
  const [, reference = ""] = /id="reference"[\s\S]*?<code>([^<]+)<\/code>/.exec(html) ?? [];

  const { page, open } = await console.openAs(owner);
  await open("/");
  const failures = page.getByRole("table", { name: "Recent failed sign-ins" });
  await failures
    .getByRole("row", { name: /ada Example.*Password: blocked.*Lockout after 2 wrong passwords/ })
    .waitFor();
  await failures.getByRole("row", { name: /Unknown name.*Name: unknown/ }).waitFor();
  await failures.getByRole("row", { name: /bea Example.*Password: wrong.*Signed in afterwards/ }).waitFor();
  assert.ok(!(await page.content()).includes("nobody@acme"));

  await open("/activity");
  await page.getByRole("link", { name: "Sign-ins", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Sign-ins" }).waitFor();
  await page.getByLabel("Result").selectOption("Signed in");
  await page.getByRole("row", { name: /olga Example.*Signed in/ }).waitFor();
  await page.getByLabel("Result").selectOption("Failed");
  await page.getByRole("row", { name: /ada Example/ }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("result"), "failed");
  assert.deepEqual(await axeViolations(page, looks), []);
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.getByRole("link", { name: /ada Example/ }).click();
  const steps = page.locator("ol.steps li");
  await steps.first().waitFor();
  const told = (await steps.allInnerTexts()).map((text) => text.split("\n").slice(0, 2).join(" "));
  assert.match(told.join("; "), /^Name: OK.*; Password: wrong .*; Password: wrong \(2 in a row\).*; Password: blocked/);
  assert.deepEqual(await axeViolations(page, looks), []);
  await page.setViewportSize({ width: 1280, height: 900 });
  const setting = page.getByRole("link", { name: "Lockout after 2 wrong passwords" });
  assert.match((await setting.getAttribute("href")) ?? "", new RegExp(`/settings/lockout\\?org=${organizationId}$`));
  await page.getByRole("link", { name: "ada Example" }).click();
  const recent = page.getByRole("table", { name: "Recent sign-ins" });
  await recent.getByRole("row", { name: /Failed.*Password: blocked.*Shop/ }).waitFor();

  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill(reference);
  await page.getByRole("option", { name: new RegExp(`Sign-in · ${reference}`) }).click();
  await page.getByText("The redirect URI is not registered").waitFor();
  assert.match(await page.locator("dl.facts").innerText(), /Shop/);
  console.assertQuiet();
});
