// Takes the pictures of docs/screens that show the console: node e2e/console-screens.ts
// They were then reduced to 256 colors like the others.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";
import { addOrganization } from "../server/test/support/people/people.ts";
import { ensureChromium } from "./support/chromium.ts";
import { startConsole } from "./support/console.ts";

const folder = fileURLToPath(new URL("../docs/screens/", import.meta.url));
const wide = { width: 1280, height: 800 };
const small = { width: 360, height: 800 };

const found = await ensureChromium();
if (!found.isThere) throw new Error(found.reason);
const ends: (() => unknown)[] = [];
const browser = await chromium.launch({ executablePath: found.path, args: ["--no-sandbox"] });
const { server, owner, openAs } = await startConsole(
  { after: (end: unknown) => void ends.unshift(end as () => unknown) },
  browser,
);
const made = await fill();

const pages: Readonly<Record<string, string>> = {
  home: "/",
  applications: "/applications",
  "applications-new": "/applications/new",
  application: `/applications/${made.applicationId}`,
  project: `/projects/${made.projectId}`,
  users: "/users",
  user: `/users/${made.userId}`,
  "user-sign-in": `/users/${made.userId}/sign-in`,
  organizations: "/organizations",
  administrators: "/administrators",
  settings: "/settings",
  "settings-login": "/settings/login",
  activity: "/activity",
  explain: "/tools/explain",
  jobs: "/tools/jobs",
  request: "/tools/request?method=service.user.v2.UserService%2FListUsers",
  attempts: "/activity/sign-ins",
  branding: "/settings/branding",
  texts: "/settings/texts",
  automation: "/automation",
  providers: "/settings/providers",
  provider: `/settings/providers/${made.providerId}`,
  "provider-new": "/settings/providers/new/ldap",
  features: "/settings/features",
  "application-credentials": `/applications/${made.applicationId}/credentials`,
  "application-test": `/applications/${made.applicationId}/test`,
  "setup-links": `/organizations/${made.organizationId}/setup-links`,
  import: "/tools/import",
  "import-users": "/tools/import/users",
};
/** What is opened on a page, by the page. */
const dialogs: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  users: async (page) => {
    await page.getByRole("button", { name: /^Views/ }).click();
    await page.getByRole("menuitem", { name: "Save as view" }).click();
  },
  user: async (page) => {
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Sign in as this user…" }).click();
  },
  "setup-links": (page) => page.getByRole("button", { name: "Create setup link" }).first().click(),
};
const mirrored = ["home", "users", "settings-login", "branding"];
const looks = [
  { language: "en", size: "wide", viewport: wide, colorScheme: "light" },
  { language: "en", size: "small", viewport: small, colorScheme: "dark" },
  { language: "ar", size: "wide", viewport: wide, colorScheme: "dark" },
] as const;
for (const { language, size, viewport, colorScheme } of looks) {
  const { page, open } = await openAs(owner, viewport.width, language);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  for (const [name, address] of Object.entries(pages)) {
    if (language === "ar" && !mirrored.includes(name)) continue;
    await open(address);
    // Pages that watch something never come to rest.
    await page.waitForTimeout(1500);
    const suffix = language === "en" ? "" : `-${language}`;
    const path = (what: string): string => `${folder}console-${what}-${size}-${colorScheme}${suffix}.png`;
    await page.screenshot({ path: path(name) });
    if (language !== "en" || !(name in dialogs)) continue;
    await dialogs[name]?.(page);
    await page.waitForTimeout(500);
    await page.screenshot({ path: path(`${name}-dialog`) });
  }
}
await browser.close();
for (const end of ends) await end();

interface Made {
  readonly applicationId: string;
  readonly projectId: string;
  readonly userId: string;
  readonly providerId: string;
  /** Of the customer. */
  readonly organizationId: string;
}

/** Gives the instance what a small company has. */
async function fill(): Promise<Made> {
  const { organizationId } = owner;
  const customerId = await addOrganization(server, "Globex");
  const { projectId } = await call("project.v2.ProjectService/CreateProject", { organizationId, name: "Shop" });
  for (const [roleKey, displayName] of [
    ["buyer", "Buyer"],
    ["clerk", "Clerk"],
    ["manager", "Manager"],
  ]) {
    await call("project.v2.ProjectService/AddProjectRole", { projectId, roleKey, displayName });
  }
  const applications: string[] = [];
  for (const name of ["Storefront", "Back office", "Warehouse app"]) {
    const oidcConfiguration = {
      redirectUris: [`https://${name.toLowerCase().replace(" ", "-")}.example.com/callback`],
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
    };
    const body = { projectId, name, oidcConfiguration };
    const { applicationId } = await call("application.v2.ApplicationService/CreateApplication", body);
    applications.push(applicationId);
  }
  const users: string[] = [];
  for (const [givenName, familyName] of [
    ["Ada", "Lovelace"],
    ["Grace", "Hopper"],
    ["Alan", "Turing"],
    ["Katherine", "Johnson"],
    ["Edsger", "Dijkstra"],
  ] as const) {
    const human = {
      profile: { givenName, familyName },
      email: { email: `${givenName.toLowerCase()}@example.com`, isVerified: true },
      ...(givenName !== "Alan" && { password: { password: "correct horse battery staple" } }),
    };
    const username = givenName.toLowerCase();
    users.push((await call("user.v2.UserService/CreateUser", { organizationId, username, human })).id);
  }
  const [userId = assert.fail()] = users;
  const assignment = { userId, projectId, organizationId, roleKeys: ["manager", "clerk"] };
  await call("authorization.v2.AuthorizationService/CreateAuthorization", assignment);
  await call("settings.v2.SettingsService/SetSecuritySettings", { enableImpersonation: true });
  await call("internal_permission.v2.InternalPermissionService/CreateAdministrator", {
    userId: owner.userId,
    resource: { organizationId },
    roles: ["ORG_END_USER_IMPERSONATOR"],
  });
  const client = { clientId: "storefront.apps.example", clientSecret: "secret" };
  const options = { providerOptions: { isLinkingAllowed: true, isCreationAllowed: true } };
  const admin = "admin.v1.AdminService";
  const { id: providerId } = await call(`${admin}/AddGoogleProvider`, { name: "Google", ...client, ...options });
  await call(`${admin}/AddIDPToLoginPolicy`, { idpId: providerId });
  await call(`${admin}/AddGitHubProvider`, { name: "GitHub", ...client, ...options });
  const idpLink = { idpId: providerId, userId: "108234", userName: "ada@example.com" };
  await call("user.v2.UserService/AddIDPLink", { userId, idpLink });
  return { applicationId: applications[0] ?? assert.fail(), projectId, userId, providerId, organizationId: customerId };
}

async function call(method: string, body: object) {
  const answer = await server.connect(`service.${method}`, body);
  assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
