import assert from "node:assert/strict";
import { addOrganization } from "../../../server/test/support/people/people.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const light = { colorScheme: "light", width: 1280 } as const;
const darkPhone = { colorScheme: "dark", width: 320 } as const;

browserTest(
  "an administrator creates a setup link, and a customer sets up domain and provider with it",
  async (t, browser) => {
    const console = await startConsole(t, browser);
    const { server } = console;
    const organizationId = await addOrganization(server, "Acme");
    const { page, open } = await console.openAs(console.owner);
    await open(`/organizations/${organizationId}/setup-links`);
    await page.getByRole("button", { name: "Create setup link" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Valid for (days)").selectOption("1");
    await dialog.getByRole("button", { name: "Create setup link" }).click();
    const url = (await page.getByText(`${server.origin}/ui/setup-link#`).textContent()) ?? "";
    assert.deepEqual(await axeViolations(page, [light, darkPhone]), []);
    await dialog.getByRole("button").last().click();
    await page.getByRole("row", { name: /Domains, Identity provider.*Not opened/ }).waitFor();

    const context = await browser.newContext({ locale: "en" });
    t.after(() => context.close());
    const customer = await context.newPage();
    const violations: string[] = [];
    const requested: string[] = [];
    customer.on("request", (request) => requested.push(request.url(), request.headers()["referer"] ?? ""));
    await customer.goto(url.trim());
    await customer.getByText("The setup code was taken from your link.").waitFor();
    violations.push(...(await axeViolations(customer, [light, darkPhone])));
    await customer.getByRole("button", { name: "Continue" }).click();
    await customer.getByRole("heading", { name: "Set up Acme" }).waitFor();
    await customer.getByLabel("Domain", { exact: true }).fill("acme.example");
    await customer.getByRole("button", { name: "Add domain" }).click();
    await customer.getByText("_doorward-challenge.acme.example").waitFor();
    await customer.getByLabel("Name", { exact: true }).fill("Acme ID");
    await customer.getByLabel("Issuer").fill("https://id.acme.example");
    await customer.getByLabel("Client ID").fill("doorward");
    await customer.getByLabel("Client secret").fill("secret of the client");
    violations.push(...(await axeViolations(customer, [light, darkPhone])));
    await customer.getByRole("button", { name: "Save" }).click();
    await customer.getByRole("button", { name: "Show on the sign-in page" }).click();
    await customer.getByText("The sign-in page shows a button for it.").waitFor();
    violations.push(...(await axeViolations(customer, [light, darkPhone])));
    assert.deepEqual(violations, []);
    const code = new URL(url.trim()).hash.slice(1);
    assert.ok(code.length > 40 && !requested.some((address) => address.includes(code)), "the secret was in an address");

    await page.reload();
    const row = page.getByRole("row", { name: /Domains, Identity provider.*Opened/ });
    await row.getByRole("button", { name: "Revoke" }).click();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("row", { name: /Ended/ }).waitFor();
    await customer.getByRole("button", { name: "Save" }).click();
    await customer.getByText("This link has ended").waitFor();
    console.assertQuiet();
  },
);
