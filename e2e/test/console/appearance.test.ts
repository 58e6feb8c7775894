import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { addOrganization } from "../../../server/test/support/people/people.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const light = [{ colorScheme: "light", width: 1280 }] as const;
const darkPhone = [{ colorScheme: "dark", width: 320 }] as const;

browserTest("the console changes look, texts and languages beside the real pages", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const acme = await addOrganization(server, "Acme");
  const { page, open } = await console.openAs(console.owner);
  const active = async (path: string, organizationId = acme) =>
    (await server.rest("GET", path, { headers: { "x-service-orgid": organizationId } })).body;

  await t.test("a look is a draft, which the preview shows while it is typed, until it is activated", async () => {
    await open(`/settings/branding?org=${acme}`);
    await shown(page).getByRole("heading", { name: "Sign in", includeHidden: true }).waitFor();
    assert.deepEqual(await axeViolations(page, light), []);
    await page.getByLabel("Buttons and links", { exact: true }).first().fill("#f5d0d8");
    await page.getByText("Cannot be read").waitFor();
    await page.getByLabel("Buttons and links", { exact: true }).first().fill("#b00020");
    await page.getByLabel("Do not mention Doorward").check();
    await shown(page).locator(".owner", { hasText: "Acme" }).waitFor();
    const color = await shown(page)
      .locator("button.primary, button[type=submit]")
      .first()
      .evaluate((button) => getComputedStyle(button).backgroundColor);
    assert.equal(color, "rgb(176, 0, 32)");
    await button(page, "Dark").click();
    await page.getByLabel("Shown page").selectOption({ label: "Invitation" });
    await shown(page).getByText("Ada Lovelace").first().waitFor();

    await button(page, "Save draft").click();
    await page.getByText("Draft not active").waitFor();
    const policy = "/management/v1/policies/label";
    assert.equal((await active(`${policy}/_preview`)).policy.primaryColor, "#b00020");
    assert.notEqual((await active(policy)).policy.primaryColor, "#b00020");
    await button(page, "Activate").click();
    await page.getByText("Draft not active").waitFor({ state: "detached" });
    assert.equal((await active(policy)).policy.primaryColor, "#b00020");
    const picture = { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(drawing) };
    await page.locator("input[type=file]").first().setInputFiles(picture);
    await page.getByRole("img", { name: "Logo" }).first().waitFor();
    await page.getByText("Draft not active").waitFor();
    await button(page, "Use the look of the instance").click();
    await page.getByRole("dialog").getByRole("button", { name: "Use the look of the instance" }).click();
    await page.getByText("From the instance").waitFor();
    assert.equal((await active(policy)).policy.isDefault, true);
  });

  await t.test("texts of pages are checked, shown and saved one by one", async () => {
    await open("/settings/texts");
    // Texts are named by what they say, with what they are and their name beside it.
    const title = page.getByLabel("Sign in", { exact: true });
    await page.getByText("Heading login_name.title").waitFor();
    await title.fill("Welcome {name}");
    await button(page, "Save").click();
    await page.getByText("{name} cannot be filled in here.").waitFor();
    await title.fill("Welcome back");
    await shown(page).getByText("Welcome back").waitFor();
    assert.deepEqual(await axeViolations(page, darkPhone), []);
    await page.setViewportSize({ width: 1280, height: 900 });
    await open("/settings/texts");
    await title.fill("Welcome back");
    await button(page, "Save").click();
    await button(page, "Use the default texts").waitFor();
    const { translations } = await active("/v2/settings/hosted_login_translation?locale=en&instance=true");
    assert.equal(translations.login_name.title, "Welcome back");
  });

  await t.test("texts of messages are shown in the real mail", async () => {
    await open("/settings/texts/messages?shown=invitation");
    await page.getByLabel("Title", { exact: true }).fill("Come in, {{.FirstName}}");
    await shown(page).getByText("Come in, Ada").waitFor();
    assert.deepEqual(await axeViolations(page, light), []);
  });

  await t.test("languages are offered or not, and one of them is the default", async () => {
    await open("/settings/languages");
    await page.getByRole("checkbox", { name: "Korean" }).uncheck();
    await page.getByLabel("Default language").selectOption({ label: "German" });
    await button(page, "Save").click();
    await page.getByText("The settings were saved.").waitFor();
    const { allowedLanguages } = await active("/admin/v1/restrictions");
    assert.equal(allowedLanguages.length, 21);
    assert.ok(!allowedLanguages.includes("ko"));
    assert.equal((await active("/admin/v1/languages/default")).language, "de");
  });
  // The mail with the placeholder that is not complete yet, and the name of a text that cannot be filled in.
  console.assertQuiet(/status of 400/);
});

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>';
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const shown = (page: Page) => page.frameLocator(".preview-stage iframe:not(.loading)");
