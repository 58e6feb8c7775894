import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { addPerson, type Person, sessionOf } from "../../../../server/test/support/people/people.ts";
import type { TestServer } from "../../../../server/test/support/servers/server.ts";
import { appCode } from "../../../../server/test/support/sign-in/totp.ts";
import { browserTest } from "../../../support/browser.ts";
import type { ConsoleHand } from "../../../support/console-hand.ts";
import { call, nameOf, startTasks, type TaskConsole, titled, writtenTasks } from "../../../support/console-tasks.ts";

test("each task of the documentation is done by a test", () => {
  const sources = readdirSync(import.meta.dirname).map((file) => readFileSync(join(import.meta.dirname, file), "utf8"));
  const titles = [...sources.join("\n").matchAll(/await task\("([^"]+)"/g)].map(([, title]) => title);
  assert.deepEqual(new Set(titles), new Set(writtenTasks().keys()));
  assert.equal(titles.length, 40);
});

browserTest("an administrator does what users need, by mouse and by keyboard", async (t, browser) => {
  const tasks = await startTasks(t, browser);
  await accountTasks(tasks);
  await accessTasks(tasks);
  tasks.console.assertQuiet();
});

async function accountTasks({ server, task }: TaskConsole): Promise<void> {
  await task("Find a user by email", async (hand) => {
    const { userId, loginName } = await about(server, hand, "fay");
    await hand.begins();
    await openUser(hand, "fay");
    await hand.page.getByText(loginName).first().waitFor();
    assert.equal(new URL(hand.page.url()).pathname, `/ui/console/users/${userId}`);
  });

  await task("Invite a user", async (hand) => {
    const email = `${nameOf(hand, "ina")}@mail.example`;
    await hand.begins();
    await hand.goes("Users");
    await hand.presses("Create user");
    await hand.fills("Email", email);
    await hand.fills("First name", "Ina");
    await hand.fills("Last name", "Vited");
    await hand.sends("Last name", "Create user");
    await titled(hand, "Ina Vited");
    const userId = new URL(hand.page.url()).pathname.split("/").at(-1) ?? "";
    assert.equal((await userOf(server, userId)).human.email.email, email);
    await happened(server, userId, "user.invitation_code.added");
  });

  await task("Send a password reset", async (hand) => {
    const { userId } = await about(server, hand, "pat");
    await hand.begins();
    await openUser(hand, "pat");
    await hand.selects("Actions for this user", "Send password reset");
    await hand.presses("Send password reset");
    await hand.rests();
    await happened(server, userId, "user.password_reset_code.added");
  });

  await task("Unlock a user", async (hand) => {
    const { userId } = await about(server, hand, "lou");
    await call(server, "user.v2.UserService/LockUser", { userId });
    await hand.begins();
    await openUser(hand, "lou");
    await hand.presses("Unlock");
    await hand.page.getByText("Nothing keeps this user from signing in.").waitFor();
    assert.equal((await userOf(server, userId)).state, "USER_STATE_ACTIVE");
  });

  await task("Deactivate a user", async (hand) => {
    const { userId } = await about(server, hand, "dee");
    await hand.begins();
    await openUser(hand, "dee");
    await hand.selects("Actions for this user", "Deactivate");
    await hand.presses("Deactivate");
    await hand.rests();
    assert.equal((await userOf(server, userId)).state, "USER_STATE_INACTIVE");
  });
}

async function accessTasks({ server, task }: TaskConsole): Promise<void> {
  await task("Correct the email of a user", async (hand) => {
    const { userId } = await about(server, hand, "mel");
    const email = `${nameOf(hand, "melanie")}@mail.example`;
    await hand.begins();
    await openUser(hand, "mel");
    await hand.follows("Profile and contact");
    await hand.fills("Email", email);
    await hand.sends("Email", "Save");
    await hand.rests();
    assert.equal((await userOf(server, userId)).human.email.email, email);
  });

  await task("Remove a lost authenticator app", async (hand) => {
    const { userId } = await about(server, hand, "oto");
    await addApp(server, userId);
    await hand.begins();
    await openUser(hand, "oto");
    await hand.follows("Sign-in methods");
    await hand.presses(/^Remove/, hand.page.getByRole("row", { name: /Authenticator app/ }));
    await hand.presses("Remove");
    await hand.page.getByText("The user has no second factor.").waitFor();
    const { authMethodTypes } = await call(server, "user.v2.UserService/ListAuthenticationMethodTypes", { userId });
    assert.ok(!authMethodTypes.includes("AUTHENTICATION_METHOD_TYPE_TOTP"));
  });

  await task("End all sessions of a user", async (hand) => {
    const sam = await about(server, hand, "sam");
    const { userId } = sam;
    await sessionOf(server, sam);
    await hand.begins();
    await openUser(hand, "sam");
    await hand.follows("Sessions");
    await hand.presses("End all sessions");
    await hand.presses("End all sessions");
    await hand.page.getByText("The user has no sessions.").waitFor();
    const queries = [{ userIdQuery: { id: userId } }];
    assert.deepEqual((await call(server, "session.v2.SessionService/ListSessions", { queries })).sessions ?? [], []);
  });

  await task("Give a user a role in a project", async (hand) => {
    const { userId, organizationId } = await about(server, hand, "ron");
    const name = nameOf(hand, "shop");
    const { projectId } = await call(server, "project.v2.ProjectService/CreateProject", { organizationId, name });
    const role = { projectId, roleKey: "clerk", displayName: "Clerk" };
    await call(server, "project.v2.ProjectService/AddProjectRole", role);
    await hand.begins();
    await openUser(hand, "ron");
    await hand.follows("Roles");
    await hand.presses("Assign roles");
    await hand.picks("Project", name.slice(0, 4), new RegExp(`^${name}`));
    await hand.ticks(/^Clerk/);
    await hand.presses("Assign roles");
    await hand.page.getByRole("row", { name: new RegExp(`${name}.*Clerk`) }).waitFor();
    const filters = [{ inUserIds: { ids: [userId] } }];
    const found = await call(server, "authorization.v2.AuthorizationService/ListAuthorizations", { filters });
    assert.deepEqual(
      found.authorizations[0].roles.map(({ key }: { readonly key: string }) => key),
      ["clerk"],
    );
  });

  await task("Delete a user", async (hand) => {
    const { userId } = await about(server, hand, "del");
    await hand.begins();
    await openUser(hand, "del");
    await hand.selects("Actions for this user", "Delete");
    await hand.fills(/^Type .* to confirm$/, nameOf(hand, "del"));
    await hand.presses("Delete user");
    await titled(hand, "Users");
    const { status } = await server.connect("service.user.v2.UserService/GetUserByID", { userId });
    assert.equal(status, 404);
  });
}

const about = (server: TestServer, hand: ConsoleHand, name: string): Promise<Person> =>
  addPerson(server, { username: nameOf(hand, name) });

async function openUser(hand: ConsoleHand, name: string): Promise<void> {
  const username = nameOf(hand, name);
  await hand.finds(username, new RegExp(`^${username} Example`));
  await titled(hand, `${username} Example`);
}

async function addApp(server: TestServer, userId: string): Promise<void> {
  const { secret } = await call(server, "user.v2.UserService/RegisterTOTP", { userId });
  const code = appCode(secret, server.clock.now);
  await call(server, "user.v2.UserService/VerifyTOTPRegistration", { userId, code });
}

/** Asserts that an event about something was recorded. */
async function happened(server: TestServer, aggregateId: string, eventType: string): Promise<void> {
  const { events } = await call(server, "admin.v1.AdminService/ListEvents", { aggregateId, eventTypes: [eventType] });
  assert.ok(events?.length > 0, `${eventType} was not recorded`);
}

const userOf = async (server: TestServer, userId: string) =>
  (await call(server, "user.v2.UserService/GetUserByID", { userId })).user;
