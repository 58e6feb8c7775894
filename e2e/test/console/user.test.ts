import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { addOrganization, addPerson, appoint, goodPassword } from "../../../server/test/support/people/people.ts";
import type { TestServer } from "../../../server/test/support/servers/server.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const looks = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 320 },
] as const;

browserTest("the console creates a user, unlocks them, gives them roles, and deletes them", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const organizationId = await addOrganization(server, "Acme");
  const project = { organizationId, name: "Web shop" };
  const { projectId } = await call(server, "project.v2.ProjectService/CreateProject", project);
  const role = { projectId, roleKey: "clerk", displayName: "Shop clerk" };
  await call(server, "project.v2.ProjectService/AddProjectRole", role);
  const { page, open } = await console.openAs(console.owner);

  await open("/users");
  await button(page, "Create user").click();
  await button(page, "Create user").click();
  await page.getByText("Fill in this field.").first().waitFor();
  await fill(page, { Email: "carol@acme.example", "First name": "Carol", "Last name": "Ng" });
  await choose(page, "Organization", "Acm");
  await page.getByLabel("First sign-in").selectOption("Set an initial password");
  await fill(page, { Password: goodPassword });
  assert.deepEqual(await axeViolations(page, looks), []);
  await page.setViewportSize({ width: 1280, height: 900 });
  await button(page, "Create user").click();
  await heading(page, "Carol Ng").waitFor();
  const userId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const carol = await userOf(server, userId);
  assert.equal(carol.details.resourceOwner, organizationId);
  assert.equal(carol.human.passwordChangeRequired, true);

  await call(server, "user.v2.UserService/LockUser", { userId });
  await page.reload();
  await heading(page, "This user cannot sign in").waitFor();
  assert.deepEqual(await axeViolations(page, looks), []);
  await page.setViewportSize({ width: 1280, height: 900 });
  await button(page, "Unlock").click();
  await heading(page, "This user can sign in, but:").waitFor();
  assert.equal((await userOf(server, userId)).state, "USER_STATE_ACTIVE");

  await link(page, "Profile and contact").click();
  await fill(page, { Nickname: "Caz" });
  await button(page, "Save").first().click();
  await page.getByText("Saved", { exact: true }).waitFor();
  assert.equal((await userOf(server, userId)).human.profile.nickName, "Caz");
  await fill(page, { Nickname: "" });
  await button(page, "Save").first().click();
  await expectSoon(async () => !(await userOf(server, userId)).human.profile.nickName);

  await link(page, "Roles").click();
  await button(page, "Assign roles").click();
  const dialog = page.getByRole("dialog");
  await choose(page, "Project", "Web");
  await dialog.getByLabel("Shop clerk").check();
  assert.deepEqual(await axeViolations(page, looks), []);
  await page.setViewportSize({ width: 1280, height: 900 });
  await dialog.getByRole("button", { name: "Assign roles" }).click();
  await page.getByRole("row", { name: /Web shop.*Shop clerk.*Acme/ }).waitFor();
  const filters = [{ inUserIds: { ids: [userId] } }];
  const { authorizations } = await call(server, "authorization.v2.AuthorizationService/ListAuthorizations", {
    filters,
  });
  assert.deepEqual(
    authorizations[0].roles.map(({ key }: { readonly key: string }) => key),
    ["clerk"],
  );

  await button(page, "Actions for this user").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  assert.ok(await dialog.getByRole("button", { name: "Delete user" }).isDisabled());
  await page.getByLabel("Type carol@acme.example to confirm").fill("carol@acme.example");
  await dialog.getByRole("button", { name: "Delete user" }).click();
  await heading(page, "Users").waitFor();
  await page.getByPlaceholder("Search by name, login name, email or ID").fill(userId);
  await page.getByText("No user matches these filters.").waitFor();
  console.assertQuiet();
});

browserTest("the console shows secrets of a service account once, and ends sessions of a user", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  const eva = await addPerson(server, { username: "eva" });
  const { page, open } = await console.openAs(owner);

  await open("/users/new-service-account");
  await fill(page, { Name: "Deploy bot", Username: "deploy-bot" });
  await page.getByRole("combobox", { name: "Organization" }).and(page.locator(":not([value=''])")).waitFor();
  await button(page, "Create service account").click();
  await heading(page, "Deploy bot").waitFor();
  await button(page, "Create token").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create token" }).click();
  const token = (await dialog.locator("code").textContent()) ?? "";
  const me = await server.connect("service.auth.v1.AuthService/GetMyUser", {}, { token });
  assert.equal(me.body.user?.userName, "deploy-bot");
  assert.deepEqual(await axeViolations(page, looks), []);
  await page.setViewportSize({ width: 1280, height: 900 });
  await dialog.getByRole("button", { name: "Done" }).click();
  assert.equal(await page.getByText(token).count(), 0, "a token is shown once");
  await button(page, "Create client secret").click();
  await dialog.getByText("Copy this now. It is shown only this once.").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await button(page, "Replace client secret").waitFor();

  const checks = { user: { userId: eva.userId }, password: { password: goodPassword } };
  for (const ip of ["203.0.113.1", "203.0.113.2"]) {
    await call(server, "session.v2.SessionService/CreateSession", { checks, userAgent: { ip } });
  }
  await open(`/users/${eva.userId}/sessions`);
  await page.getByText("203.0.113.1").waitFor();
  await button(page, "End all sessions").click();
  await dialog.getByRole("button", { name: "End all sessions" }).click();
  await page.getByText("The user has no sessions.").waitFor();
  const queries = [{ userIdQuery: { id: eva.userId } }];
  const { sessions = [] } = await call(server, "session.v2.SessionService/ListSessions", { queries });
  assert.deepEqual(sessions, []);
  console.assertQuiet();
});

browserTest(
  "pages of users go on where the last one ended, and one call names all their organizations",
  async (t, browser) => {
    const console = await startConsole(t, browser);
    const { server } = console;
    const organizationIds = [await addOrganization(server, "Acme"), await addOrganization(server, "Umbrella")];
    const addRobot = (name: string, number: number) =>
      call(server, "user.v2.UserService/CreateUser", {
        organizationId: organizationIds[number % 2],
        username: `robot-${number}`,
        machine: { name },
      });
    const names = Array.from({ length: 120 }, (_each, number) => `Robot ${100 + number}`);
    for (const [number, name] of names.entries()) await addRobot(name, number);
    const { page, open } = await console.openAs(console.owner);
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(new URL(request.url()).pathname.split("/").at(-1) ?? ""));
    await open("/users?text=robot");
    for (const name of ["Acme", "Umbrella"]) await link(page, name).first().waitFor();
    assert.equal(asked.filter((name) => name === "ListOrganizations").length, 1);

    const shown = async (range: string): Promise<string[]> => {
      await page.getByText(range).waitFor();
      const texts = await page.locator("tbody .row-link").allInnerTexts();
      return texts.map((text) => text.split("\n", 1)[0] ?? "");
    };
    assert.deepEqual(await shown("1–50 of 120"), names.slice(0, 50));
    await addRobot("Robot 1", 200);
    await button(page, "Next").click();
    assert.deepEqual(await shown("51–100 of 121"), names.slice(50, 100));
    await button(page, "Next").click();
    assert.deepEqual(await shown("101–120 of 121"), names.slice(100));
    assert.ok(await button(page, "Next").isDisabled());
    await button(page, "Previous").click();
    assert.deepEqual(await shown("51–100 of 121"), names.slice(50, 100));
    // The address alone is read by its offset.
    await open("/users?text=robot&page=3");
    assert.deepEqual(await shown("101–121 of 121"), names.slice(99));
    console.assertQuiet();
  },
);

browserTest("a reader of users sees why nothing can be changed", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const reader = await addPerson(server, { username: "rita" });
  const eva = await addPerson(server, { username: "eva" });
  await appoint(server, reader, { instance: true }, ["IAM_OWNER_VIEWER"]);
  const { page, open } = await console.openAs(reader);
  await open(`/users/${eva.userId}/profile`);
  await page.getByText("You need the permission user.write for this.").first().waitFor();
  assert.ok(await page.getByLabel("Nickname").isDisabled());
  await button(page, "Actions for this user").click();
  const item = page.getByRole("menuitem", { name: "Deactivate" });
  assert.equal(await item.getAttribute("title"), "You need the permission user.write for this.");
  await open("/users");
  await page.locator("button:disabled", { hasText: "Create user" }).waitFor();
  console.assertQuiet();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.locator("main").getByRole("link", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await page
      .getByRole("textbox", { name: label })
      .or(page.getByLabel(label, { exact: true }))
      .first()
      .fill(value);
  }
}

/** Chooses the first of what a picker finds. */
async function choose(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole("combobox", { name: label }).fill(text);
  await page
    .getByRole("option", { name: new RegExp(`^${text}`) })
    .first()
    .click();
}

async function expectSoon(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 5000;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline);
    await new Promise((wait) => setTimeout(wait, 50));
  }
}

async function call(server: TestServer, method: string, body: object) {
  const answer = await server.connect(`service.${method}`, body);
  assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const userOf = async (server: TestServer, userId: string) =>
  (await call(server, "user.v2.UserService/GetUserByID", { userId })).user;
