import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { enter, visit } from "../../../../server/test/login/support/sign-in.ts";
import { addOrganization, addPerson, appoint, type Person } from "../../../../server/test/support/people/people.ts";
import { addClient } from "../../../../server/test/support/sign-in/sign-in-client.ts";
import { browserTest } from "../../../support/browser.ts";
import type { ConsoleHand } from "../../../support/console-hand.ts";
import { call, nameOf, startTasks, type TaskConsole, titled } from "../../../support/console-tasks.ts";

browserTest("an administrator does what organizations need, by mouse and by keyboard", async (t, browser) => {
  const tasks = await startTasks(t, browser);
  await organizationTasks(tasks);
  await accountTasks(tasks);
  await activityTasks(tasks);
  tasks.console.assertQuiet();
});

async function organizationTasks({ server, task }: TaskConsole): Promise<void> {
  await task("Create an organization", async (hand) => {
    const name = nameOf(hand, "acme");
    await hand.begins();
    await hand.goes("Organizations");
    await hand.presses("Create organization");
    await hand.fills("Name", name);
    await hand.sends("Name", "Create organization");
    await titled(hand, name);
    const queries = [{ nameQuery: { name } }];
    const { result } = await call(server, "org.v2.OrganizationService/ListOrganizations", { queries });
    assert.equal(result.length, 1);
  });

  await task("Get the record that proves a domain", async (hand) => {
    const name = nameOf(hand, "domain");
    const organizationId = await addOrganization(server, name);
    await hand.begins();
    await openOrganization(hand, name);
    await hand.follows("Domains");
    await hand.presses("Add domain");
    await hand.fills("Domain", `${name}.example`);
    await hand.sends("Domain", "Add domain");
    await hand.presses("Use a DNS record");
    await hand.page.getByText(`_doorward-challenge.${name}.example`, { exact: true }).waitFor();
    await hand.closes();
    await hand.page.getByRole("row", { name: new RegExp(`${name}.example.*Not verified`) }).waitFor();
    const { domains } = await call(server, "org.v2.OrganizationService/ListOrganizationDomains", { organizationId });
    const added = domains.find(({ domain }: { readonly domain: string }) => domain === `${name}.example`);
    assert.equal(added.validationType, "DOMAIN_VALIDATION_TYPE_DNS");
  });

  await task("Make a user an administrator of their organization", async (hand) => {
    const organizationId = await addOrganization(server, nameOf(hand, "grace co"));
    const grace = await addPerson(server, { username: nameOf(hand, "grace"), organizationId });
    await hand.begins();
    await openOrganization(hand, nameOf(hand, "grace co"));
    await hand.follows("Administrators");
    await hand.presses("Add administrator");
    await hand.picks("User", nameOf(hand, "gr"), new RegExp(`^${nameOf(hand, "grace")} `));
    await hand.ticks(/^User manager/);
    await hand.presses("Add administrator");
    await hand.page.getByRole("row", { name: new RegExp(`${nameOf(hand, "grace")}.*User manager`) }).waitFor();
    assert.deepEqual(await rolesOf(server, grace), ["ORG_USER_MANAGER"]);
  });

  await task("Take the role of an administrator away", async (hand) => {
    const max = await addPerson(server, { username: nameOf(hand, "max") });
    await appoint(server, max, { instance: true }, ["IAM_USER_MANAGER"]);
    await hand.begins();
    await hand.goes("Administrators");
    await hand.fills(/^Search by name/, nameOf(hand, "max"));
    await hand.page.getByRole("row", { name: /^olga/ }).waitFor({ state: "detached" });
    await hand.selects(/^Actions for/, "Remove administrator");
    await hand.presses("Remove administrator");
    await hand.page.getByText("No administrator matches these filters.").waitFor();
    assert.deepEqual(await rolesOf(server, max), []);
  });
}

async function accountTasks({ server, task }: TaskConsole): Promise<void> {
  await task("Create a service account with a token", async (hand) => {
    await hand.begins();
    await hand.goes("Users");
    await hand.presses("Create service account");
    await hand.fills("Name", "Deploy bot");
    await hand.fills("Username", nameOf(hand, "bot"));
    await hand.sends("Username", "Create service account");
    await titled(hand, "Deploy bot");
    await hand.presses("Create token");
    await hand.presses("Create token");
    const token = (await hand.page.getByRole("dialog").locator("code").textContent()) ?? "";
    await hand.presses("Done");
    const me = await server.connect("service.auth.v1.AuthService/GetMyUser", {}, { token });
    assert.equal(me.body.user?.userName, nameOf(hand, "bot"));
  });

  await task("Create a group with a member", async (hand) => {
    const ben = await addPerson(server, { username: nameOf(hand, "ben") });
    await hand.begins();
    await hand.goes("Users");
    await hand.follows("Groups");
    await hand.presses("Create group");
    await hand.fills("Name", nameOf(hand, "sales"));
    await hand.sends("Name", "Create group");
    await titled(hand, nameOf(hand, "sales"));
    const id = new URL(hand.page.url()).pathname.split("/").at(-1) ?? "";
    await hand.presses("Add member");
    await hand.picks("User", nameOf(hand, "be"), new RegExp(`^${nameOf(hand, "ben")} `));
    await hand.presses("Add member");
    await hand.page.getByRole("row", { name: new RegExp(nameOf(hand, "ben")) }).waitFor();
    const filters = [{ groupIds: { ids: [id] } }];
    const { groupUsers } = await call(server, "group.v2.GroupService/ListGroupUsers", { filters });
    assert.equal(groupUsers[0].user.id, ben.userId);
  });

  await task("Deactivate several users at once", async (hand) => {
    const people: Person[] = [];
    for (const name of ["temp1", "temp2"]) people.push(await addPerson(server, { username: nameOf(hand, name) }));
    await hand.begins();
    await hand.goes("Users");
    await hand.fills(/^Search by name/, nameOf(hand, "temp"));
    await hand.page.getByRole("row", { name: /olga/ }).waitFor({ state: "detached" });
    await hand.ticks("Select all on this page");
    await hand.selects("Actions", "Deactivate users");
    await hand.presses("Start job");
    await hand.page.getByText("2 succeeded, 0 failed, 0 left").waitFor();
    for (const { userId } of people) {
      const { user } = await call(server, "user.v2.UserService/GetUserByID", { userId });
      assert.equal(user.state, "USER_STATE_INACTIVE");
    }
  });

  await task("Download the list of users", async (hand) => {
    await hand.begins();
    await hand.goes("Users");
    const saving = hand.page.waitForEvent("download");
    await hand.selects("Download", "CSV");
    const file = await text(await (await saving).createReadStream());
    assert.match(file, /olga@mail\.example/);
  });
}

async function activityTasks({ server, task }: TaskConsole): Promise<void> {
  const client = await addClient(server, {}, "Shop");

  await task("Find out why a sign-in failed", async (hand) => {
    const eve = await addPerson(server, { username: nameOf(hand, "eve") });
    await enter(await visit(server, client), { ...eve, password: "wrong" });
    await hand.begins();
    await hand.finds(nameOf(hand, "eve"), new RegExp(`^${nameOf(hand, "eve")} `));
    await titled(hand, `${nameOf(hand, "eve")} Example`);
    await hand.follows(/^Failed/);
    await hand.page.getByText("Password: wrong").first().waitFor();
    const { attempts } = await call(server, "sign_in_attempt.v2.SignInAttemptService/ListSignInAttempts", {
      filters: [{ userIdFilter: { id: eve.userId } }],
    });
    assert.ok(hand.page.url().endsWith(`/activity/sign-ins/${attempts[0].id}`));
  });

  await task("Find out who changed a user, and what", async (hand) => {
    const { userId } = await addPerson(server, { username: nameOf(hand, "ida") });
    const human = { profile: { givenName: "Ida", familyName: "Example", nickName: "Idefix" } };
    await call(server, "user.v2.UserService/UpdateUser", { userId, human });
    await hand.begins();
    await hand.finds(nameOf(hand, "ida"), new RegExp(nameOf(hand, "ida")));
    await hand.follows("Activity");
    await hand.follows(/^User: profile/);
    await hand.page.getByRole("row", { name: /Nick ?name.*Idefix/ }).waitFor();
  });

  await task("Explain why a user may do something", async (hand) => {
    const amy = await addPerson(server, { username: nameOf(hand, "amy") });
    await appoint(server, amy, { instance: true }, ["IAM_USER_MANAGER"]);
    await hand.begins();
    await hand.goes("Tools");
    await hand.follows("Explain a permission");
    await hand.picks("User", nameOf(hand, "amy"), new RegExp(`^${nameOf(hand, "amy")} `));
    await hand.picks("Permission or method", "user.w", /^user\.write$/);
    await hand.presses("Explain");
    await hand.page.getByText("Yes, they may").waitFor();
  });

  await task("Watch what happens live", async (hand) => {
    await hand.begins();
    await hand.goes("Activity");
    await hand.ticks("Live");
    const name = nameOf(hand, "live");
    await addOrganization(server, name);
    await hand.page
      .getByRole("row", { name: new RegExp(name) })
      .first()
      .waitFor();
  });
}

async function openOrganization(hand: ConsoleHand, name: string): Promise<void> {
  await hand.finds(name, new RegExp(`^${name} `));
  await titled(hand, name);
}

async function rolesOf(server: TaskConsole["server"], { userId }: Person): Promise<string[]> {
  const filters = [{ inUserIdsFilter: { ids: [userId] } }];
  const found = await call(server, "internal_permission.v2.InternalPermissionService/ListAdministrators", { filters });
  return (found.administrators ?? []).flatMap(({ roles }: { readonly roles: readonly string[] }) => roles);
}
