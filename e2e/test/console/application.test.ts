import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import {
  minimal,
  register,
  registrationPath,
  setRegistration,
} from "../../../server/test/support/oidc/registration.ts";
import { addOrganization } from "../../../server/test/support/people/people.ts";
import type { TestServer } from "../../../server/test/support/servers/server.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const light = [{ colorScheme: "light", width: 1280 }] as const;
const darkPhone = [{ colorScheme: "dark", width: 320 }] as const;

browserTest("the console creates an application in a project of its own, and changes it", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const { page, open } = await console.openAs(console.owner);
  await open("/");
  await page.getByRole("link", { name: "Create your first application" }).click();
  await page.getByText("Express", { exact: true }).click();
  assert.deepEqual(await axeViolations(page, light), []);
  await page.getByRole("textbox", { name: /^Name/ }).fill("<b>Shop</b>");
  const addresses = page.getByRole("textbox", { name: /^Redirect URIs/ });
  await addresses.fill("http://shop.example/callback");
  await button(page, "Create application").click();
  await page.getByText("http://shop.example/callback is not encrypted.").waitFor();
  await addresses.fill("https://shop.example/callback");
  await button(page, "Create application").click();
  // Markup in a name is text.
  await heading(page, "<b>Shop</b> is ready").waitFor();
  await page.getByText("Copy the secret now").waitFor();
  await page.getByText("Waiting for the first sign-in…").waitFor();

  await link(page, "Open the application’s page").click();
  await heading(page, "<b>Shop</b>").waitFor();
  const applicationId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const { application } = await call(server, "application.v2.ApplicationService/GetApplication", { applicationId });
  assert.deepEqual(application.oidcConfiguration.redirectUris, ["https://shop.example/callback"]);
  assert.equal(application.oidcConfiguration.pkceRequired, true);
  const { project } = await call(server, "project.v2.ProjectService/GetProject", { projectId: application.projectId });
  assert.equal(project.name, "My applications");

  await link(page, "Tokens and security").click();
  await page.getByLabel("Bind access tokens to a key (DPoP)").waitFor();
  assert.deepEqual(await axeViolations(page, darkPhone), []);
  await page.getByLabel("Bind access tokens to a key (DPoP)").check();
  await button(page, "Save").click();
  await page.getByText("The application was saved.").waitFor();
  const saved = await call(server, "application.v2.ApplicationService/GetApplication", { applicationId });
  assert.equal(saved.application.oidcConfiguration.dpopBoundAccessTokens, true);
  // What is changed after it was saved is not saved either.
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByLabel("Bind access tokens to a key (DPoP)").uncheck();
  const asked = page.waitForEvent("dialog");
  void page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name: "Users" }).click();
  const question = await asked;
  assert.equal(question.message(), "Your changes are not saved. Leave this page?");
  await question.accept();
  await heading(page, "Users").waitFor();

  // Trust is given to what the page shows, and not to what another administrator made of it since.
  await open(`/applications/${applicationId}/trust`);
  await page.getByText("https://shop.example/callback").waitFor();
  const { projectId } = application;
  await page.getByText("OIDC_GRANT_TYPE_AUTHORIZATION_CODE", { exact: true }).waitFor();
  const loginVersion = { loginV2: { baseUri: "https://login.moved.example" } };
  const moved = { redirectUris: ["https://moved.example/callback"], loginVersion };
  const update = { applicationId, projectId, oidcConfiguration: moved };
  await call(server, "application.v2.ApplicationService/UpdateApplication", update);
  await page.getByLabel("Trusted with the API of Doorward").check();
  await button(page, "Save").click();
  await page.getByRole("row", { name: /shop\.example.*moved\.example/ }).waitFor();
  await page.getByRole("row", { name: /loginVersion.*login\.moved\.example/ }).waitFor();
  await button(page, "Show it as it is now").click();
  await page.getByText("https://moved.example/callback").waitFor();
  assert.deepEqual(await axeViolations(page, darkPhone), []);
  await page.getByLabel("Trusted with the API of Doorward").check();
  await Promise.all([page.waitForResponse(/\/UpdateApplication$/), button(page, "Save").click()]);
  const trusted = await call(server, "application.v2.ApplicationService/GetApplication", { applicationId });
  assert.equal(trusted.application.oidcConfiguration.trustedForApi, true);

  // What an application that registered itself may do to itself ends with its token.
  await setRegistration(server, "open");
  const registered = await register(server, { ...minimal, client_name: "Notes" }, null);
  await open("/applications?q=Notes");
  await page.getByRole("link", { name: /^Notes/ }).click();
  await link(page, "Credentials").click();
  await button(page, "Revoke token").click();
  await dialog(page).getByText("can no longer change or delete itself").waitFor();
  assert.deepEqual(await axeViolations(page, darkPhone), []);
  await dialog(page).getByRole("button", { name: "Revoke token" }).click();
  await page.getByText("The token was revoked.").waitFor();
  await button(page, "Revoke token").waitFor({ state: "detached" });
  const { client_id: clientId, registration_access_token: token } = registered.body;
  const managed = await server.rest("GET", `${registrationPath}/${clientId}`, { token });
  assert.equal(managed.status, 401);

  await open("/applications?q=Console");
  await page.getByRole("link", { name: "Console", exact: true }).click();
  await page.getByText("It belongs to the server and cannot be changed.").waitFor();
  assert.equal(await button(page, "Actions for this application").count(), 0);
  console.assertQuiet(/status of 400/);
});

browserTest("the console gives roles of a project, and finds what it has by name", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const organizationId = await addOrganization(server, "Acme");
  const project = { organizationId, name: "Web shop" };
  const { projectId } = await call(server, "project.v2.ProjectService/CreateProject", project);
  const { page, open } = await console.openAs(console.owner);
  await open("/");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("web sh");
  await page.getByRole("option", { name: /Web shop.*Project.*Acme/ }).waitFor();
  await page.keyboard.press("Enter");
  await heading(page, "Web shop").waitFor();
  await link(page, "Roles").click();
  await button(page, "Add role").click();
  await dialog(page).getByLabel(/^Key/).fill("clerk");
  await dialog(page).getByRole("button", { name: "Add role" }).click();
  await page.getByRole("row", { name: /clerk/ }).waitFor();

  await link(page, "Role assignments").click();
  await button(page, "Assign roles").click();
  await dialog(page).getByRole("combobox").fill("olga");
  await page.getByRole("option", { name: /olga/ }).click();
  await dialog(page).getByRole("checkbox").check();
  await dialog(page).getByRole("button", { name: "Assign roles" }).click();
  await page.getByRole("row", { name: /olga.*clerk/ }).waitFor();
  assert.deepEqual(await axeViolations(page, darkPhone), []);
  const filters = [{ projectId: { id: projectId } }];
  const { authorizations } = await call(server, "authorization.v2.AuthorizationService/ListAuthorizations", {
    filters,
  });
  assert.deepEqual(
    authorizations.map(({ roles }: { readonly roles: readonly { readonly key: string }[] }) =>
      roles.map(({ key }) => key),
    ),
    [["clerk"]],
  );
  console.assertQuiet();
});

browserTest("the console changes settings, and keeps a way to sign in", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const { page, open } = await console.openAs(console.owner);
  await open("/settings");
  await page.getByRole("link", { name: "Password rules" }).click();
  await page.getByLabel("Minimum length").fill("14");
  await button(page, "Save").click();
  await page.getByText("The settings were saved.").waitFor();
  const rules = await call(server, "admin.v1.AdminService/GetPasswordComplexityPolicy", {});
  assert.equal(rules.policy.minLength, "14");
  assert.deepEqual(await axeViolations(page, light), []);

  await open("/settings/login");
  await page.getByLabel("Allow passwords").uncheck();
  await page.getByLabel("Allow passkeys").uncheck();
  await page.getByLabel("Allow identity providers").uncheck();
  await button(page, "Save").click();
  // The refusal is at the field that it names.
  const refused = page.locator("form [aria-invalid=true]");
  await refused.waitFor();
  assert.match(
    (await page.locator(".field-error:visible").textContent()) ?? "",
    /^These settings would lock every user out/,
  );
  assert.ok(!(await page.getByLabel("Allow passwords").isChecked()), "what was chosen is not lost");
  const login = await call(server, "admin.v1.AdminService/GetLoginPolicy", {});
  assert.equal(login.policy.allowUsernamePassword, true);

  console.assertQuiet(/status of 400/);
});

browserTest("the console keeps its tokens out of storage, addresses and frames", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const { page, open } = await console.openAs(console.owner);
  const addresses: string[] = [];
  const tokens: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  page.on("response", async (response) => {
    if (response.url().endsWith("/oauth/v2/token")) tokens.push((await response.json()).access_token);
  });
  await open("/users");
  await page.getByRole("row", { name: /olga/ }).waitFor();
  const kept = await page.evaluate(() =>
    JSON.stringify([localStorage, sessionStorage, document.cookie, history.state]),
  );
  const [token = ""] = tokens;
  assert.equal(tokens.length, 1);
  assert.ok(token.length > 20);
  assert.ok(!kept.includes(token) && !addresses.some((address) => address.includes(token)));
  assert.equal(await page.evaluate(() => indexedDB.databases().then(({ length }) => length)), 0);
  // The token alone, without the key of the document, is of no use.
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const stolen = await fetch(`${server.origin}/v2/users`, { method: "POST", headers, body: "{}" });
  assert.equal(stolen.status, 401);

  // Signed out here is signed out at the hosted login: the next visit has to sign in.
  await page.getByRole("button", { name: /Your menu/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/ui\/login/);
  console.assertQuiet();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const dialog = (page: Page) => page.getByRole("dialog");

async function call(server: TestServer, method: string, body: object) {
  const answer = await server.connect(`service.${method}`, body);
  assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

browserTest("the console lists the applications of a project, and creates one in it", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const organizationId = await addOrganization(server, "Acme");
  const ids: string[] = [];
  for (const name of ["Web shop", "Portal"]) {
    const { projectId } = await call(server, "project.v2.ProjectService/CreateProject", { organizationId, name });
    const oidcConfiguration = { redirectUris: ["https://shop.example/callback"] };
    const one = { projectId, name: `${name} client`, oidcConfiguration };
    await call(server, "application.v2.ApplicationService/CreateApplication", one);
    ids.push(projectId);
  }
  const { page, open } = await console.openAs(console.owner);
  await open(`/projects/${ids[0]}`);
  await page.getByRole("main").getByRole("link", { name: "Applications", exact: true }).click();
  await page.getByRole("row", { name: /Web shop client/ }).waitFor();
  assert.equal(await page.getByRole("row", { name: /Portal client/ }).count(), 0);
  assert.deepEqual(await axeViolations(page, darkPhone), []);
  await page.setViewportSize({ width: 1280, height: 900 });
  await link(page, "Create application").click();
  await heading(page, "Create application").waitFor();
  await page.getByText("Express", { exact: true }).click();
  const project = page.getByRole("combobox", { name: /^Project/ });
  await project.waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll("input")].some(({ value }) => value === "Web shop"));
  assert.equal(await project.inputValue(), "Web shop");
  console.assertQuiet();
});

browserTest("the console says whether an application has a secret", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const organizationId = await addOrganization(server, "Acme");
  const project = { organizationId, name: "Web shop" };
  const { projectId } = await call(server, "project.v2.ProjectService/CreateProject", project);
  const redirectUris = ["https://shop.example/callback"];
  const oidcConfiguration = { redirectUris, authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" };
  const shop = { projectId, name: "Shop", oidcConfiguration };
  const { applicationId } = await call(server, "application.v2.ApplicationService/CreateApplication", shop);
  const { page, open } = await console.openAs(console.owner);
  await open(`/applications/${applicationId}/credentials`);
  await page.getByRole("combobox").first().selectOption({ index: 0 });
  await button(page, "Save").click();
  await page.getByText("There is no client secret yet.").waitFor();
  await button(page, "Generate secret").click();
  await dialog(page).getByRole("button", { name: "Generate secret" }).click();
  await page.getByText("There is a client secret.").waitFor({ state: "attached" });
  console.assertQuiet();
});
