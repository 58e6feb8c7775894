import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { addPerson, appoint, sessionOf } from "../../../server/test/support/people/people.ts";
import type { TestServer } from "../../../server/test/support/servers/server.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const light = [{ colorScheme: "light", width: 1280 }] as const;
const darkPhone = [{ colorScheme: "dark", width: 320 }] as const;

browserTest(
  "the console creates an organization, proves its domain, keeps metadata, and deletes it",
  async (t, browser) => {
    const console = await startConsole(t, browser);
    const { server } = console;
    const { page, open } = await console.openAs(console.owner);
    await open("/organizations");
    await button(page, "Create organization").click();
    await page.getByLabel("Name", { exact: true }).fill("Acme");
    await button(page, "Create organization").click();
    await heading(page, "Acme").waitFor();
    const organizationId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    assert.equal((await findOrganization(server, organizationId))?.name, "Acme");
    assert.deepEqual(await axeViolations(page, light), []);

    await page.getByLabel("Name", { exact: true }).fill("Acme Limited");
    await button(page, "Save").click();
    await heading(page, "Acme Limited").waitFor();
    assert.equal((await findOrganization(server, organizationId))?.name, "Acme Limited");

    await link(page, "Domains").click();
    await button(page, "Add domain").click();
    await page.getByRole("dialog").getByLabel("Domain", { exact: true }).fill("acme.example");
    await page.getByRole("dialog").getByRole("button", { name: "Add domain" }).click();
    await button(page, "Use a DNS record").click();
    await page.getByText("_doorward-challenge.acme.example", { exact: true }).waitFor();
    assert.deepEqual(await axeViolations(page, darkPhone), []);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("row", { name: /acme\.example.*Not verified/ }).waitFor();

    await link(page, "Metadata").click();
    await button(page, "Add entry").click();
    await page.getByLabel("Key", { exact: true }).fill("plan");
    await page.getByLabel("Value", { exact: true }).fill("gold");
    await button(page, "Save").click();
    await page.getByRole("row", { name: /plan.*gold/ }).waitFor();
    const metadata = await call(server, "org.v2.OrganizationService/ListOrganizationMetadata", { organizationId });
    assert.equal(atob(metadata.metadata[0].value), "gold");

    await link(page, "Overview").click();
    await button(page, "Deactivate organization").click();
    await page.getByRole("dialog").getByRole("button", { name: "Deactivate organization" }).click();
    await button(page, "Activate organization").waitFor();
    assert.equal((await findOrganization(server, organizationId))?.state, "ORGANIZATION_STATE_INACTIVE");

    await button(page, "Delete organization").click();
    const confirm = page.getByRole("dialog").getByRole("button", { name: "Delete organization" });
    assert.ok(await confirm.isDisabled(), "the name has to be typed first");
    await page.getByLabel("Type Acme Limited to confirm").fill("Acme Limited");
    await confirm.click();
    await heading(page, "Organizations").waitFor();
    assert.equal(await findOrganization(server, organizationId), undefined);

    // The default organization stays, and the page says why.
    await page
      .getByRole("row", { name: /Default/ })
      .getByRole("link")
      .first()
      .click();
    await page.getByText("This is the default organization.").first().waitFor();
    assert.ok(await button(page, "Delete organization").isDisabled());
    console.assertQuiet();
  },
);

browserTest("the console appoints administrators, and keeps the last owner of the instance", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  await addPerson(server, { username: "grace" });
  const { page, open } = await console.openAs(owner);
  await open("/administrators");
  await page.getByRole("row", { name: /olga.*Owner of the instance/ }).waitFor();
  assert.deepEqual(await axeViolations(page, light), []);
  await button(page, "Add administrator").click();
  await page.getByLabel("Level", { exact: true }).selectOption({ label: "Organization" });
  await page.getByRole("combobox", { name: "Organization", exact: true }).fill("Door");
  await page.getByRole("option", { name: /Doorward/ }).click();
  await page.getByRole("combobox", { name: "User", exact: true }).fill("grace");
  await page.getByRole("option", { name: /grace/ }).click();
  await page.getByRole("checkbox", { name: /^User manager/ }).check();
  await button(page, "Add administrator").click();
  await page.getByRole("row", { name: /grace.*User manager/ }).waitFor();

  await button(page, "Actions for grace Example").click();
  await page.getByRole("menuitem", { name: "Change roles" }).click();
  await page.getByRole("checkbox", { name: /^Organization viewer/ }).check();
  await button(page, "Save").click();
  await page.getByRole("row", { name: /grace.*Organization viewer/ }).waitFor();
  assert.deepEqual(await rolesNamed(server, "grace"), ["ORG_OWNER_VIEWER", "ORG_USER_MANAGER"]);

  await button(page, "Actions for grace Example").click();
  await page.getByRole("menuitem", { name: "Remove administrator" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove administrator" }).click();
  await page.getByRole("row", { name: /grace/ }).waitFor({ state: "detached" });
  assert.deepEqual(await rolesNamed(server, "grace"), []);

  // The service account that the server began with is the other owner; without it nothing can be asked of the API.
  const other = page.getByRole("row", { name: /Owner of the instance/ }).filter({ hasNotText: "olga" });
  await other.getByRole("button", { name: /Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Remove administrator" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove administrator" }).click();
  await other.waitFor({ state: "detached" });
  await button(page, "Actions for olga Example").click();
  const leave = page.getByRole("menuitem", { name: "Give up your roles" });
  await leave.and(page.locator("[aria-disabled=true]")).waitFor();
  assert.match((await leave.getAttribute("title")) ?? "", /last owner of the instance/);
  console.assertQuiet();
});

browserTest(
  "the console shows the event log to administrators of the instance, and others their organization",
  async (t, browser) => {
    const console = await startConsole(t, browser);
    const { server, owner } = console;
    const { organizationId } = await call(server, "org.v2.OrganizationService/AddOrganization", { name: "Tailspin" });
    const grace = await addPerson(server, { username: "grace", organizationId });
    await appoint(server, grace, { organizationId }, ["ORG_OWNER"]);
    await call(server, "org.v2.OrganizationService/UpdateOrganization", { organizationId, name: "Tailspin Toys" });

    const { page, open } = await console.openAs(owner);
    await open("/activity?kind=organization");
    await page.getByRole("link", { name: "Tailspin Toys" }).waitFor();
    assert.equal(await page.getByText("Administrator role granted").count(), 0, "of another kind");
    assert.deepEqual(await axeViolations(page, darkPhone), []);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole("link", { name: "Organization changed" }).click();
    await page.getByRole("row", { name: /Name Tailspin Tailspin Toys/ }).waitFor();
    await link(page, "All events of this object").click();
    await page.getByRole("link", { name: "Organization created" }).waitFor();

    const theirs = await console.openAs(grace);
    await theirs.open("/activity");
    await theirs.page.getByText("The event log is for administrators of the instance.").waitFor();
    await theirs.page.getByText("Organization changed").waitFor();
    await theirs.open("/organizations");
    // Permissions are read after the page is shown.
    await button(theirs.page, "Create organization").and(theirs.page.locator(":disabled")).waitFor();
    assert.match((await button(theirs.page, "Create organization").getAttribute("title")) ?? "", /org\.create/);
    console.assertQuiet();
  },
);

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

async function call(server: TestServer, method: string, body: object) {
  const answer = await server.connect(`service.${method}`, body);
  assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function findOrganization(
  server: TestServer,
  id: string,
): Promise<{ readonly name: string; readonly state: string } | undefined> {
  const body = { queries: [{ idQuery: { id } }] };
  return (await call(server, "org.v2.OrganizationService/ListOrganizations", body)).result?.[0];
}

async function rolesNamed(server: TestServer, displayName: string): Promise<string[]> {
  const body = { filters: [{ userDisplayName: { displayName, method: "TEXT_FILTER_METHOD_STARTS_WITH" } }] };
  const found = await call(server, "internal_permission.v2.InternalPermissionService/ListAdministrators", body);
  return (found.administrators ?? []).flatMap(({ roles }: { readonly roles: readonly string[] }) => roles).sort();
}

browserTest(
  "the console says that an appointment ends sessions, and what would end them all ends none",
  async (t, browser) => {
    const console = await startConsole(t, browser);
    const { server, owner } = console;
    const ada = await addPerson(server, { username: "ada" });
    for (let count = 0; count < 4; count++) await sessionOf(server, ada);
    const { page, open } = await console.openAs(owner);
    await open("/administrators/new");
    await page.getByText("A role that takes effect at once ends those sessions").waitFor();

    await open(`/users/${ada.userId}/sessions`);
    const listed = async (): Promise<number> => {
      const queries = [{ userIdQuery: { id: ada.userId } }];
      const { body } = await server.rest("POST", "/v2/sessions/search", { body: { queries } });
      return body.sessions.length;
    };
    const before = await listed();
    await page.getByRole("button", { name: "End all sessions" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "API", exact: true }).click();
    await page.getByRole("dialog").locator("pre").getByText("curl -sS -X DELETE").waitFor();
    await page.reload();
    assert.equal(await listed(), before);
    console.assertQuiet();
  },
);
