import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { addOrganization, addPerson, appoint } from "../../../server/test/support/people/people.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const looks = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 320 },
] as const;

const userService = "service.user.v2.UserService";
const hash = "$scrypt$ln=14,r=8,p=1$ABEiM0RVZneImaq7zN3u/w$gMdchw7aA3eVa8jeVCmcVCY/k+Gs/D5Up7jQGarwFaQ";
const table = `Id,Mail,First name,Last name,Password hash,Disabled,Plan
1001,jan@mail.example,Jan,Oort,"${hash}",no,gold
1002,not an address,Kim,"Kay, K",,no,
1003,leo@mail.example,Leo,Lin,{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=,yes,
`;

const fileOf = (name: string, content: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });

/** Presses a button, and returns the name and text of the file that it saves. */
async function saved(page: Page, name: string): Promise<readonly [name: string, text: string]> {
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name, exact: true }).click();
  const file = await saving;
  return [file.suggestedFilename(), await text(await file.createReadStream())];
}

/** What is wrong with the page, from its top: the bar above it covers what was scrolled below. */
async function problemsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => scrollTo(0, 0));
  const found = await axeViolations(page, looks);
  await page.setViewportSize({ width: 1280, height: 900 });
  return found;
}

browserTest(
  "the console imports users from files, after a dry run, and says what became of each",
  async (t, browser) => {
    const console = await startConsole(t, browser);
    const { server, owner } = console;
    const organizationId = await addOrganization(server, "Acme");
    const userOf = async (userId: string) => (await server.connect(`${userService}/GetUserByID`, { userId })).body.user;
    const { page, open } = await console.openAs(owner);

    await open(`/tools/import?org=${organizationId}`);
    assert.deepEqual(await problemsOf(page), []);
    await page.getByRole("button", { name: "Import users" }).click();
    await page.getByRole("heading", { level: 1, name: "Import users" }).waitFor();

    // What is no table, or too large, is refused before anything is shown of it.
    const input = page.getByLabel("File", { exact: true });
    await input.setInputFiles(fileOf("twice.csv", "email,email\na@mail.example,b@mail.example\n"));
    await page.getByText("The file does not have the chosen format.").waitFor();
    await input.setInputFiles(fileOf("people.csv", table));
    const columns = page.getByRole("table", { name: "Columns" });
    assert.equal(await columns.getByLabel("What Mail becomes").inputValue(), "email");
    assert.equal(await columns.getByLabel("What Last name becomes").inputValue(), "familyName");
    assert.equal(await columns.getByLabel("What Plan becomes").inputValue(), "");
    await columns.getByLabel("What Plan becomes").selectOption("Metadata");
    const preview = page.getByRole("table", { name: "Preview" });
    await preview.getByRole("row", { name: /Jan Oort.*jan@mail\.example.*Password/ }).waitFor();
    assert.ok(!(await page.content()).includes(hash.slice(-20)), "no hash is shown");
    assert.deepEqual(await problemsOf(page), []);

    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByText("New: 2 · Exists: 0 · Failed: 1 · Skipped: 0").waitFor();
    await page.getByText("Nothing was changed.").waitFor();
    assert.equal(await userOf("1001"), undefined);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("heading", { name: "Results" }).waitFor();
    await page.getByText("New: 2 · Exists: 0 · Failed: 1 · Skipped: 0").waitFor();
    const results = page.getByRole("table", { name: "Results" });
    await results.getByRole("row", { name: /leo@mail\.example.*New.*Lost password/ }).waitFor();
    await results.getByRole("row", { name: /Row 3.*Failed.*email/ }).waitFor();
    assert.deepEqual(await problemsOf(page), []);
    const [reportName, report] = await saved(page, "Download");
    assert.equal(reportName, "import-report.csv");
    assert.match(report, /people\.csv,3,.*,email,failed,/);
    assert.ok(!report.includes("W6ph5Mm5Pz8"), "no hash is saved");
    assert.ok(!page.url().includes("mail.example"), "nothing of the file is in the address");

    const jan = await userOf("1001");
    assert.deepEqual([jan.details.resourceOwner, jan.state], [organizationId, "USER_STATE_ACTIVE"]);
    assert.equal((await userOf("1003")).state, "USER_STATE_INACTIVE");
    const { body } = await server.connect(`${userService}/ListUserMetadata`, { userId: "1001" });
    assert.deepEqual(
      body.metadata.map((entry: { key: string; value: string }) => [entry.key, atob(entry.value)]),
      [["Plan", "gold"]],
    );

    // Another system, and users who exist.
    await page.getByLabel("Format").selectOption("Keycloak");
    const realm = new URL("../../../server/test/user-import/files/keycloak-realm.json", import.meta.url);
    await input.setInputFiles(fileOf("realm.json", readFileSync(realm, "utf8")));
    await page.getByLabel("Accounts at google").waitFor();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("New: 3 · Exists: 0 · Failed: 0 · Skipped: 1").waitFor();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("New: 0 · Exists: 3 · Failed: 0 · Skipped: 1").waitFor();

    // The call for the first of them, without what is secret.
    await page.getByRole("button", { name: "API", exact: true }).last().click();
    const curl = await page.getByRole("dialog").getByRole("region", { name: "curl" }).innerText();
    assert.match(curl, /UserService\/CreateUser/);
    assert.match(curl, /"hash": "<hash>"/);
    console.assertQuiet();
  },
);

browserTest(
  "the console saves organizations and imports them, for administrators of the instance",
  async (t, browser) => {
    const console = await startConsole(t, browser);
    const { server, owner } = console;
    const organizationId = await addOrganization(server, "Acme");
    await addPerson(server, { username: "ada", organizationId });
    const { page, open } = await console.openAs(owner);
    await open("/tools/import");
    await page.getByRole("combobox", { name: "Organization" }).fill("Acme");
    await page.getByRole("option", { name: /Acme/ }).click();
    const [exportName, exported] = await saved(page, "Export");
    assert.equal(exportName, `organizations-${organizationId}.json`);
    const { orgs } = JSON.parse(exported);
    assert.deepEqual([orgs.length, orgs[0].org.name, orgs[0].humanUsers.length], [1, "Acme", 1]);

    orgs[0].orgId = "4711";
    orgs[0].org.name = "Bolt";
    // Another organization has it.
    delete orgs[0].domains;
    orgs[0].humanUsers[0].userId = "4712";
    await page.getByRole("button", { name: "Import organizations" }).click();
    await page.getByRole("heading", { level: 1, name: "Import organizations" }).waitFor();
    const input = page.getByLabel("File", { exact: true });
    await input.setInputFiles(fileOf("people.csv", table));
    await page.getByText("The file does not have the chosen format.").waitFor();
    await input.setInputFiles(fileOf("bolt.json", JSON.stringify({ orgs })));
    await page
      .getByRole("table", { name: "Preview" })
      .getByRole("row", { name: /Bolt.*4711.*humanUsers/ })
      .waitFor();
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByText("Nothing was changed.").waitFor();
    const found = async () => {
      const queries = [{ idQuery: { id: "4711" } }];
      const { body } = await server.connect("service.org.v2.OrganizationService/ListOrganizations", { queries });
      return body.result ?? [];
    };
    assert.deepEqual(await found(), []);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText(/^New: [1-9]\d* · Exists: \d+ · Failed: 0/).waitFor();
    assert.equal((await found())[0].name, "Bolt");
    assert.equal(
      (await server.connect(`${userService}/GetUserByID`, { userId: "4712" })).body.user.details.resourceOwner,
      "4711",
    );
    assert.deepEqual(await problemsOf(page), []);

    // Administrators of an organization see what they lack, and import users without choosing their ids.
    const bob = await addPerson(server, { username: "bob", organizationId });
    await appoint(server, bob, { organizationId }, ["ORG_OWNER"]);
    const other = await console.openAs(bob);
    await other.open(`/tools/import?org=${organizationId}`);
    await other.page.getByText("You need the permission iam.write for this.").first().waitFor();
    assert.ok(await other.page.getByRole("button", { name: "Import organizations" }).isDisabled());
    assert.ok(await other.page.getByRole("button", { name: "Export", exact: true }).isDisabled());
    await other.page.getByRole("button", { name: "Import users" }).click();
    await other.page.getByLabel("File", { exact: true }).setInputFiles(fileOf("people.csv", table));
    await other.page.getByText("Only administrators of the instance can choose user IDs.").waitFor();
    await other.page.getByRole("button", { name: "Import", exact: true }).click();
    await other.page.getByText("New: 2 · Exists: 0 · Failed: 1 · Skipped: 0").waitFor();
    const { body } = await server.connect(`${userService}/ListUsers`, {
      queries: [{ emailQuery: { emailAddress: "jan@mail.example" } }],
    });
    assert.notEqual(body.result[0].userId, "1001");
    assert.equal(body.result[0].details.resourceOwner, organizationId);
    console.assertQuiet();
  },
);
