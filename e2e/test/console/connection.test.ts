import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { addPerson, appoint } from "../../../server/test/support/people/people.ts";
import type { TestServer } from "../../../server/test/support/servers/server.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const light = [{ colorScheme: "light", width: 1280 }] as const;
const darkPhone = [{ colorScheme: "dark", width: 320 }] as const;

const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://wiki.example/saml">
<SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
<AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
 Location="https://wiki.example/saml/acs" index="0"/></SPSSODescriptor></EntityDescriptor>`;

browserTest("the console connects SAML applications, and APIs by keys and scopes", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const { page, open } = await console.openAs(console.owner);
  await open("/applications/new");
  await page.getByRole("radio", { name: /^SAML/ }).check();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Wiki");
  await page.getByLabel("Where the metadata comes from").selectOption({ label: "A file" });
  const file = { name: "wiki.xml", mimeType: "text/xml", buffer: Buffer.from(metadata) };
  await page.getByLabel("Metadata of the application from a file").setInputFiles(file);
  await button(page, "Create application").click();
  await heading(page, "Wiki is ready").waitFor();
  await page.getByText(`${server.origin}/saml/v2/metadata`, { exact: true }).waitFor();
  await link(page, "Open the application’s page").click();
  await link(page, "SAML").click();
  await page.getByLabel("How users are identified").selectOption({ label: "User ID" });
  await button(page, "Add attribute").click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("team");
  await page.getByLabel("Value").selectOption({ label: "Entry of the user’s metadata" });
  await page.getByLabel("Key of the entry").fill("team");
  await page.getByLabel("Users may begin at this server").check();
  // Nothing is below the bar at the top, where axe could not judge it.
  await page.evaluate(() => scrollTo(0, 0));
  assert.deepEqual(await axeViolations(page, darkPhone), []);
  await page.setViewportSize({ width: 1280, height: 900 });
  await button(page, "Save").click();
  await link(page, "Begin a sign-in").waitFor();
  const applicationId = new URL(page.url()).pathname.split("/").at(-2) ?? "";
  const { application } = await call(server, `${applications}/GetApplication`, { applicationId });
  const { entityId, options } = application.samlConfiguration;
  const source = "SAML_ATTRIBUTE_SOURCE_METADATA";
  assert.deepEqual(
    [entityId, options.nameId, options.allowIdpInitiated, options.attributes.attributes],
    ["https://wiki.example/saml", "SAML_NAME_ID_USER_ID", true, [{ name: "team", source, metadataEntry: "team" }]],
  );

  await open("/applications/new");
  await page.getByRole("radio", { name: /^API/ }).check();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Orders");
  await page.getByLabel("Method").selectOption({ label: "Signed assertion with a key (private_key_jwt)" });
  await button(page, "Create application").click();
  await link(page, "Add a key with which the API authenticates").click();
  await button(page, "Add key").click();
  await page.getByRole("dialog").getByRole("button", { name: "Add key" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Save key file").click()]);
  // The browser may be another process's, which keeps its files to itself.
  const key = JSON.parse(await text(await download.createReadStream()));
  assert.match(key.key, /PRIVATE KEY/);
  await button(page, "Done").click();
  await page.getByRole("row", { name: new RegExp(key.keyId) }).waitFor();
  await button(page, `Actions for key ${key.keyId}`).click();
  await page.getByRole("menuitem", { name: "Remove key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove key" }).click();
  await page.getByText("There is no key yet.").waitFor();

  await open(`/projects/${application.projectId}/resources`);
  await button(page, "Add API").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Orders");
  await dialog.getByLabel("URI").fill("https://api.example.com/orders");
  await button(page, "Add scope").click();
  await dialog.getByLabel("Scope", { exact: true }).fill("orders:read");
  await dialog.getByLabel(/^What it allows/).fill("en: Read your orders\nde: Deine Bestellungen lesen");
  assert.deepEqual(await axeViolations(page, light), []);
  await dialog.getByRole("button", { name: "Add API" }).click();
  await page.getByRole("row", { name: /Orders.*orders:read/ }).waitFor();
  const { resources } = await call(server, "resource.v2.ResourceService/ListResources", {});
  assert.deepEqual(resources[0].scopes, [
    { name: "orders:read", descriptions: { de: "Deine Bestellungen lesen", en: "Read your orders" } },
  ]);
  console.assertQuiet();
});

browserTest("the console sets up text messages and codes, for administrators of the instance", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const { page, open } = await console.openAs(console.owner);
  await open("/settings/sms");
  await button(page, "Add provider").click();
  await page.getByLabel("Kind").selectOption({ label: "HTTP endpoint" });
  await page.getByLabel(/^Description/).fill("Gateway");
  await page.getByLabel("Endpoint").fill("https://sms.example.com/send");
  await page.getByRole("dialog").getByRole("button", { name: "Add provider" }).click();
  await page.getByText("It is shown only this once.").waitFor();
  await button(page, "Done").click();
  await page.getByRole("row", { name: /Gateway.*Sends text messages/ }).waitFor();
  assert.deepEqual(await axeViolations(page, darkPhone), []);
  await page.setViewportSize({ width: 1280, height: 900 });
  const { result } = await call(server, "admin.v1.AdminService/ListSMSProviders", {});
  assert.equal(result[0].state, "SMS_PROVIDER_CONFIG_ACTIVE");

  await open("/settings/codes");
  await button(page, "Actions for Code to reset a password").click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  await page.getByLabel("Valid for (minutes)").fill("30");
  await button(page, "Save").click();
  await page.getByRole("row", { name: /reset a password.*30 min/ }).waitFor();
  const generator = { generatorType: "SECRET_GENERATOR_TYPE_PASSWORD_RESET_CODE" };
  const reset = await call(server, "admin.v1.AdminService/GetSecretGenerator", generator);
  assert.equal(reset.secretGenerator.expiry, "1800s");

  await open("/settings/registration");
  assert.deepEqual(await axeViolations(page, light), []);
  await page.getByLabel("Clients may register themselves").check();
  await button(page, "Save").click();
  await page.getByText("The settings were saved.").waitFor();
  const security = await call(server, "settings.v2.SettingsService/GetSecuritySettings", {});
  assert.equal(security.settings.dynamicClientRegistration.enabled, true);

  const viewer = await addPerson(server, { username: "vera" });
  await appoint(server, viewer, { instance: true }, ["IAM_OWNER_VIEWER"]);
  const theirs = await console.openAs(viewer);
  await theirs.open("/settings/features");
  await theirs.page.getByText("You need the permission iam.feature.write for this.").waitFor();
  await theirs.page.getByRole("row", { name: /Permissions are checked in lists/ }).waitFor();
  console.assertQuiet();
});

const applications = "application.v2.ApplicationService";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

async function call(server: TestServer, method: string, body: object) {
  const answer = await server.connect(`service.${method}`, body);
  assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
