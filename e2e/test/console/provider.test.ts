import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { testCertificate } from "../../../server/test/support/http/test-certificate.ts";
import { metadataXml } from "../../../server/test/support/identity-provider/saml-metadata.ts";
import { addOrganization, addPerson, appoint } from "../../../server/test/support/people/people.ts";
import type { TestServer } from "../../../server/test/support/servers/server.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const light = [{ colorScheme: "light", width: 1280 }] as const;
const darkPhone = [{ colorScheme: "dark", width: 320 }] as const;

/** What is typed into fields, by their labels; a number of lines is one text. */
type Typed = Readonly<Record<string, string>>;

interface KindCase {
  /** How the page of kinds names it, and the part of the address. */
  readonly name: string;
  readonly kind: string;
  readonly typed: Typed;
  readonly chosen?: Typed;
  readonly checked?: readonly string[];
  /** What the API then says. */
  readonly stored: Readonly<Record<string, unknown>>;
  /** What is typed afterwards, and what of it the API says. */
  readonly change: Typed;
  readonly changed: Readonly<Record<string, unknown>>;
}

const client: Typed = { "Client ID": "client-1", "Client secret": "secret-4711" };
const endpoints: Typed = {
  "Authorization endpoint": "https://idp.example/authorize",
  "Token endpoint": "https://idp.example/token",
  "User endpoint": "https://idp.example/user",
};
const storedEndpoints = {
  authorizationEndpoint: "https://idp.example/authorize",
  tokenEndpoint: "https://idp.example/token",
  userEndpoint: "https://idp.example/user",
};
const social = { typed: client, stored: { clientId: "client-1", scopes: [] }, change: { "Client ID": "client-2" } };
const changedClient = { clientId: "client-2" };

const cases: readonly KindCase[] = [
  { name: "Google", kind: "google", ...social, changed: changedClient },
  {
    name: "Microsoft Entra ID",
    kind: "azureAd",
    typed: { ...client, "Tenant ID": "9188040d-6c67-4c5b-b112-36a304b66dad" },
    chosen: { Accounts: "One tenant" },
    checked: ["Treat email addresses as verified"],
    stored: { tenant: { tenantId: "9188040d-6c67-4c5b-b112-36a304b66dad" }, emailVerified: true },
    change: { Scopes: "openid  email" },
    changed: { scopes: ["openid", "email"] },
  },
  {
    name: "Apple",
    kind: "apple",
    typed: {
      "Services ID": "com.example.web",
      "Team ID": "TEAM123456",
      "Key ID": "KEY1234567",
      "Private key": testCertificate.key,
    },
    stored: { clientId: "com.example.web", teamId: "TEAM123456", keyId: "KEY1234567", scopes: [] },
    change: { "Key ID": "KEY7654321" },
    changed: { keyId: "KEY7654321" },
  },
  { name: "GitHub", kind: "github", ...social, changed: changedClient },
  {
    name: "GitHub Enterprise Server",
    kind: "githubEs",
    ...social,
    typed: { ...client, ...endpoints, Name: "Code" },
    stored: { ...social.stored, ...storedEndpoints },
    changed: changedClient,
  },
  { name: "GitLab", kind: "gitlab", ...social, changed: changedClient },
  {
    name: "GitLab (self-managed)",
    kind: "gitlabSelfHosted",
    ...social,
    typed: { ...client, Issuer: "https://gitlab.example", Name: "Our code" },
    stored: { ...social.stored, issuer: "https://gitlab.example" },
    changed: changedClient,
  },
  {
    name: "OpenID Connect",
    kind: "oidc",
    typed: { ...client, Issuer: "https://idp.example/realm", Name: "Partner" },
    checked: ["Read users from the ID token only"],
    stored: { issuer: "https://idp.example/realm", isIdTokenMapping: true, usePkce: true },
    change: { Issuer: "https://idp.example/other" },
    changed: { issuer: "https://idp.example/other" },
  },
  {
    name: "SAML 2.0",
    kind: "saml",
    typed: { "Metadata (XML)": Buffer.from(metadataXml(), "base64").toString(), Name: "Corporate" },
    chosen: { "Where the metadata comes from": "A file", "Signature algorithm": "RSA-SHA512" },
    checked: ["Sign requests", "Signing out here also signs out at the provider"],
    stored: {
      metadataXml: metadataXml(),
      withSignedRequest: true,
      nameIdFormat: "SAML_NAME_ID_FORMAT_PERSISTENT",
      federatedLogoutEnabled: true,
      signatureAlgorithm: "SAML_SIGNATURE_RSA_SHA512",
    },
    change: { Name: "Headquarters" },
    changed: { transientMappingAttributeName: "" },
  },
  {
    name: "LDAP",
    kind: "ldap",
    typed: {
      Name: "Directory",
      Servers: "ldaps://ldap.example\nldaps://ldap2.example",
      "Trusted certificates (PEM)": testCertificate.cert,
      "DN of the service account": "cn=service,dc=example",
      "Password of the service account": "secret-4711",
      "Base DN": "dc=example",
      "Object classes of users": "person",
      "Attributes that users enter": "uid\nmail",
      "Timeout (seconds)": "3.5",
      "ID of the user": "entryUUID",
      Email: "mail",
    },
    stored: {
      servers: ["ldaps://ldap.example", "ldaps://ldap2.example"],
      userBase: "dn",
      userFilters: ["uid", "mail"],
      timeout: "3.500s",
      rootCa: Buffer.from(testCertificate.cert.trim()).toString("base64"),
    },
    change: { "Last name": "sn" },
    changed: { timeout: "3.500s", rootCa: Buffer.from(testCertificate.cert.trim()).toString("base64") },
  },
  {
    name: "OAuth 2.0",
    kind: "oauth",
    typed: { ...client, ...endpoints, "Member with the account ID": "id", Name: "Shop" },
    stored: { ...storedEndpoints, idAttribute: "id", usePkce: true },
    change: { "User endpoint": "https://idp.example/me" },
    changed: { userEndpoint: "https://idp.example/me" },
  },
  {
    name: "JWT",
    kind: "jwt",
    typed: {
      Name: "Proxy",
      Issuer: "our proxy",
      "Address of the proxy": "https://proxy.example/in",
      "Key set (JWKS)": "https://proxy.example/keys",
      "Header with the token": "x-proxy-token",
    },
    stored: { issuer: "our proxy", headerName: "x-proxy-token", audience: "" },
    change: { "Audience of the tokens": "doorward" },
    changed: { audience: "doorward" },
  },
];

browserTest("the console adds and changes every kind of provider, and keeps its secret", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const { page, open } = await console.openAs(console.owner);
  await open("/settings/providers/new");
  assert.equal(await page.locator(".card").count(), cases.length);
  await assertAccessible(page, light);
  for (const { name, kind, typed, chosen = {}, checked = [], stored, change, changed } of cases) {
    await open("/settings/providers/new");
    await page.getByRole("link", { name, exact: true }).click();
    await heading(page, name).waitFor();
    for (const [label, option] of Object.entries(chosen)) await choose(page, label, option);
    await fill(page, typed);
    for (const label of checked) await page.getByLabel(label).check();
    if (kind === "ldap" || kind === "saml") await assertAccessible(page, darkPhone);
    await page.setViewportSize({ width: 1280, height: 900 });
    await button(page, "Add provider").click();
    await heading(page, "Configuration", 2).waitFor();
    await page.waitForURL(/\/settings\/providers\/\d+$/);
    const id = idOf(page);
    assertHas(await configOf(server, id, kind), stored, kind);

    const { idp: before } = await read(server, id);
    await page.getByText(String(before.name), { exact: true }).first().waitFor();
    await fill(page, change);
    await button(page, "Save").click();
    await page.getByText("The settings were saved.").first().waitFor();
    assertHas(await configOf(server, id, kind), { ...stored, ...changed }, kind);
    assert.equal((await read(server, id)).idp.name, change["Name"] ?? before.name);
  }
  await assertAccessible(page, light);
  await open("/settings/providers");
  await page.getByRole("row").nth(cases.length).waitFor();
  assert.equal(await page.getByRole("row").count(), cases.length + 1);
  console.assertQuiet();
});

browserTest("the console offers, deactivates and deletes a provider, and says what is lost", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  const { page, open } = await console.openAs(owner);
  const body = { name: "Partner", clientId: "c", clientSecret: "s", issuer: "https://idp.example" };
  const providerOptions = { isLinkingAllowed: true };
  const { id } = (await server.rest("POST", "/admin/v1/idps/generic_oidc", { body: { ...body, providerOptions } }))
    .body;
  const idpLink = { idpId: id, userId: "there-1", userName: "olga@idp.example" };
  await server.connect("service.user.v2.UserService/AddIDPLink", { userId: owner.userId, idpLink });

  await open("/");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("Partn");
  await page.getByRole("option", { name: /Partner.*Identity provider|Identity provider.*Partner/ }).click();
  await page.getByText(`${server.origin}/idps/callback`, { exact: true }).waitFor();
  await page.getByText("IAM_OWNER", { exact: true }).waitFor();
  await page.getByRole("table", { name: "Linked users" }).getByText("olga Example").waitFor();

  // A refusal is shown at its field: the secret does not follow to another server.
  await page.getByLabel("Issuer").fill("https://other.example");
  await button(page, "Save").click();
  const secret = page.getByLabel("Client secret");
  await page.getByText("Enter the client secret: none is stored for this server yet.", { exact: true }).waitFor();
  assert.equal(await secret.getAttribute("aria-invalid"), "true");
  assert.ok(await secret.evaluate((input) => input === document.activeElement), "the field has the focus");
  await assertAccessible(page, darkPhone);
  await page.setViewportSize({ width: 1280, height: 900 });
  await secret.fill("secret-4712");
  await page.locator("form").getByRole("button", { name: "API" }).click();
  const code = page.getByRole("dialog").locator("pre");
  await code.getByText(`curl -sS -X PUT '${server.origin}/admin/v1/idps/generic_oidc/${id}'`).waitFor();
  assert.doesNotMatch((await code.textContent()) ?? "", /secret-4712/);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await button(page, "Save").click();
  await page.getByText("The settings were saved.").waitFor();
  assert.equal(await secret.inputValue(), "", "what was typed is not kept");
  assert.equal((await configOf(server, id, "oidc"))["issuer"], "https://other.example");

  // Who takes over answers for the server that the dialog shows.
  const takeOver = page.getByRole("dialog").getByRole("button", { name: "Take over" });
  await button(page, "Take over").click();
  await page.getByRole("dialog").getByText("https://other.example").waitFor();
  await Promise.all([
    page.waitForResponse((answer) => /\/ReactivateIDP$/.test(answer.url()) && answer.ok()),
    takeOver.click(),
  ]);
  await page.getByRole("dialog").waitFor({ state: "hidden" });

  // Nothing was typed as a secret, so the stored one stays: without one, the API refuses a change.
  await page.getByLabel("Scopes").fill("openid");
  await Promise.all([page.waitForResponse(/UpdateGenericOIDCProvider/), button(page, "Save").click()]);
  assert.deepEqual((await configOf(server, id, "oidc"))["scopes"], ["openid"]);
  const same = { ...body, issuer: "https://other.example", clientSecret: "" };
  const path = `/admin/v1/idps/generic_oidc/${id}`;
  assert.equal(
    (await server.rest("PUT", path, { body: { ...same, scopes: ["openid"], providerOptions } })).status,
    200,
  );

  await button(page, "Show on the sign-in page").click();
  await button(page, "Remove from the sign-in page").waitFor();
  const link = page.getByRole("link", { name: "Open the sign-in page" });
  const [tab] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
  await tab.getByRole("button", { name: /Partner/ }).waitFor();
  await tab.close();

  await button(page, "Deactivate provider").click();
  await page.getByRole("dialog").getByRole("button", { name: "Deactivate provider" }).click();
  await page.getByText("Inactive", { exact: true }).waitFor();
  assert.equal(await link.count(), 0, "an inactive provider cannot be tried");
  await button(page, "Activate provider").click();
  await button(page, "Deactivate provider").waitFor();

  await button(page, "Delete provider").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^Linked users: 1\./).waitFor();
  await assertAccessible(page, light);
  await dialog.getByRole("textbox").fill("Partner");
  await dialog.getByRole("button", { name: "Delete provider" }).click();
  await page.getByText("Partner was deleted.").waitFor();
  await page.getByText(/^There is no identity provider yet/).waitFor();
  console.assertQuiet(/status of 400/);
});

browserTest(
  "an organization has providers of its own, and decides which of the instance it shows",
  async (t, browser) => {
    const console = await startConsole(t, browser);
    const { server } = console;
    const organizationId = await addOrganization(server, "Acme");
    const body = { name: "Shared", clientId: "c", clientSecret: "s" };
    const shared = (await server.rest("POST", "/admin/v1/idps/google", { body })).body.id;
    const admin = await addPerson(server, { username: "ada", organizationId });
    await appoint(server, admin, { organizationId }, ["ORG_OWNER"]);
    const { page, open } = await console.openAs(admin);

    // By keyboard alone.
    await open(`/settings/providers?org=${organizationId}`);
    await tabTo(page, "Add provider");
    await page.keyboard.press("Enter");
    await heading(page, "Add provider").waitFor();
    await tabTo(page, "GitHub");
    await page.keyboard.press("Enter");
    await heading(page, "GitHub").waitFor();
    await page.getByText(`${server.origin}/idps/callback/${organizationId}`, { exact: true }).waitFor();
    await tabTo(page, "clientId");
    await page.keyboard.type("client-1");
    await page.keyboard.press("Tab");
    await page.keyboard.type("secret-4711");
    await tabTo(page, "isOffered");
    await page.keyboard.press("Space");
    await tabTo(page, "Add provider");
    await page.keyboard.press("Enter");
    await page.getByText("On the sign-in page", { exact: true }).first().waitFor();
    const id = idOf(page);
    const headers = { "x-service-orgid": organizationId };
    const own = (await server.rest("GET", `/management/v1/idps/templates/${id}`, { headers })).body.idp;
    assert.deepEqual([own.owner, own.answeringRoles], ["IDP_OWNER_TYPE_ORG", ["ORG_OWNER"]]);
    await page.getByText(`${server.origin}/idps/callback/${organizationId}`, { exact: true }).waitFor();

    await open(`/settings/providers/${shared}?org=${organizationId}`);
    await page
      .getByText(/^This provider belongs to the instance/)
      .first()
      .waitFor();
    assert.ok(await page.getByLabel("Client ID").isDisabled());
    assert.ok(await button(page, "Delete provider").isDisabled());
    await button(page, "Show on the sign-in page").click();
    await button(page, "Remove from the sign-in page").waitFor();
    const { body: offered } = await server.rest("GET", `/v2/settings/login/idps?ctx.orgId=${organizationId}`);
    assert.deepEqual(
      offered.identityProviders.map((one: { id: string }) => one.id).toSorted(),
      [id, shared].toSorted(),
    );
    await assertAccessible(page, darkPhone);

    const viewer = await addPerson(server, { username: "vera", organizationId });
    await appoint(server, viewer, { organizationId }, ["ORG_OWNER_VIEWER"]);
    const other = await console.openAs(viewer);
    await other.open(`/settings/providers/${id}?org=${organizationId}`);
    await other.page.getByText("You need the permission org.idp.write for this.").first().waitFor();
    assert.ok(await other.page.getByLabel("Client ID").isDisabled());
    await other.page.getByText("You need the permission policy.write for this.").waitFor();
    console.assertQuiet();
  },
);

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const heading = (page: Page, name: string, level = 1) => page.getByRole("heading", { name, level, exact: true });

const choose = (page: Page, name: string, label: string) =>
  page.getByRole("combobox", { name, exact: true }).selectOption({ label });

async function assertAccessible(page: Page, looks: typeof light | typeof darkPhone): Promise<void> {
  // Nothing is behind the bar at the top, where colors could not be judged.
  await page.evaluate(() => scrollTo(0, 0));
  assert.deepEqual(await axeViolations(page, looks), []);
}

const idOf = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1) ?? "";

async function fill(page: Page, typed: Typed): Promise<void> {
  for (const [label, value] of Object.entries(typed)) {
    const pattern = new RegExp(`^${label.replaceAll(/[()]/g, "\\$&")}( \\(optional\\))?$`);
    await page.locator("form").getByRole("textbox", { name: pattern }).or(numberOrSecret(page, pattern)).fill(value);
  }
}

// Fields of numbers and passwords have other roles, or none.
const numberOrSecret = (page: Page, label: RegExp) =>
  page.locator("form").getByLabel(label).and(page.locator("input[type=number], input[type=password]"));

/** Presses Tab until the element with a text or name has the focus. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const focused = document.activeElement;
      return [focused?.getAttribute("name") ?? "", focused?.textContent?.trim() ?? ""];
    });
    if (found.includes(wanted)) return;
  }
  assert.fail(`${wanted} cannot be reached by Tab`);
}

const read = async (server: TestServer, id: string) =>
  (await server.rest("GET", `/admin/v1/idps/templates/${id}`)).body;

const configOf = async (server: TestServer, id: string, kind: string): Promise<Record<string, unknown>> =>
  (await read(server, id)).idp.config[kind];

function assertHas(config: Record<string, unknown>, expected: Readonly<Record<string, unknown>>, kind: string): void {
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, config[name]])), expected, kind);
}
