import assert from "node:assert/strict";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const widths = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 320 },
] as const;

browserTest("an administrator signs in to an application as a user, and ends it", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  const call = async (method: string, body: object) => {
    const { status, body: answer } = await server.connect(`service.${method}`, body);
    assert.equal(status, 200, JSON.stringify(answer));
    return answer;
  };
  const { organizationId } = owner;
  const { projectId } = await call("project.v2.ProjectService/CreateProject", { organizationId, name: "Shop" });
  const { oidcConfiguration } = await call("application.v2.ApplicationService/CreateApplication", {
    projectId,
    name: "Shop",
    oidcConfiguration: {
      redirectUris: [`${server.origin}/shop`],
      developmentMode: true,
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
    },
  });
  const { id: userId } = await call("user.v2.UserService/CreateUser", {
    organizationId,
    username: "grace",
    human: {
      profile: { givenName: "Grace", familyName: "Hopper" },
      email: { email: "grace@mail.example", isVerified: true },
    },
  });
  await call("internal_permission.v2.InternalPermissionService/CreateAdministrator", {
    userId: owner.userId,
    resource: { organizationId },
    roles: ["ORG_END_USER_IMPERSONATOR"],
  });
  await call("settings.v2.SettingsService/SetSecuritySettings", { enableImpersonation: true });

  const { page, open } = await console.openAs(owner);
  await open(`/users/${userId}`);
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Sign in as this user…" }).click();
  const dialog = page.getByRole("dialog");
  await page.getByRole("option", { name: /^Shop/ }).first().waitFor();
  assert.equal(await page.getByRole("option", { name: /^Console/ }).count(), 0);
  await dialog.getByRole("combobox", { name: "Application" }).fill("Sho");
  await page.getByRole("option", { name: /^Shop/ }).first().click();
  await dialog.getByLabel("Reason").fill("Ticket 17: the basket is empty");
  assert.deepEqual(await axeViolations(page, widths), []);
  await dialog.getByRole("button", { name: "Begin" }).click();
  const [opened] = await Promise.all([
    page.waitForEvent("popup"),
    dialog.getByRole("link", { name: "Open page" }).click(),
  ]);
  await opened.getByText("Ticket 17: the basket is empty").waitFor();
  await opened.getByText("Grace Hopper").waitFor();
  assert.deepEqual(await axeViolations(opened, widths), []);

  const query = new URLSearchParams({
    client_id: oidcConfiguration.clientId,
    redirect_uri: `${server.origin}/shop`,
    response_type: "code",
    scope: "openid",
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
  });
  await opened.goto(`${server.origin}/oauth/v2/authorize?${query}`);
  await opened.getByText("Grace Hopper").waitFor();
  await opened.getByRole("button", { name: "Continue as this user" }).click();
  await opened.waitForURL(/\/shop\?code=/);
  await opened.goto(`${server.origin}/oauth/v2/authorize?${query}`);
  await opened.getByRole("button", { name: "End impersonation" }).click();
  await opened.getByRole("button", { name: /Continue/ }).waitFor();
  assert.ok(!(await opened.content()).includes("Grace Hopper"), "as themselves");
});
