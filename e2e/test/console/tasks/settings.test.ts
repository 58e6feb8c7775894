import assert from "node:assert/strict";
import { browserTest } from "../../../support/browser.ts";
import { call, nameOf, startTasks, type TaskConsole, titled } from "../../../support/console-tasks.ts";

browserTest("an administrator changes settings, by mouse and by keyboard", async (t, browser) => {
  const tasks = await startTasks(t, browser);
  await ruleTasks(tasks);
  await appearanceTasks(tasks);
  await connectionTasks(tasks);
  tasks.console.assertQuiet();
});

/** Numbers that differ from the default, and from one hand to the other. */
const numbers = { mouse: 17, keys: 18 } as const;

async function ruleTasks({ server, task }: TaskConsole): Promise<void> {
  const settings = async (path: string) => (await server.rest("GET", `/v2/settings/${path}`)).body.settings;

  await task("Require a second factor, or no longer", async (hand) => {
    const { forceMfa: before = false } = await settings("login");
    await hand.begins();
    await hand.opensSettings("Sign-in");
    await hand.ticks("Require a second factor");
    await hand.sends("Require a second factor", "Save");
    await hand.rests();
    assert.equal((await settings("login")).forceMfa ?? false, !before);
  });

  await task("Ask for longer passwords", async (hand) => {
    await hand.begins();
    await hand.opensSettings("Password rules");
    await hand.fills("Minimum length", String(numbers[hand.name]));
    await hand.sends("Minimum length", "Save");
    await hand.rests();
    assert.equal(Number((await settings("password/complexity")).minLength), numbers[hand.name]);
  });

  await task("Lock users after wrong passwords", async (hand) => {
    await hand.begins();
    await hand.opensSettings("Lockout");
    await hand.fills("Wrong passwords until a user is locked", String(numbers[hand.name]));
    await hand.sends("Wrong passwords until a user is locked", "Save");
    await hand.rests();
    assert.equal(Number((await settings("lockout")).maxPasswordAttempts), numbers[hand.name]);
  });

  await task("Shorten the life of access tokens", async (hand) => {
    await hand.begins();
    await hand.opensSettings("Token lifetimes");
    await hand.fills(/^Access token/, String(numbers[hand.name]));
    await hand.sends(/^Access token/, "Save");
    await hand.rests();
    const read = await call(server, "admin.v1.AdminService/GetOIDCSettings", {});
    assert.equal(read.settings.accessTokenLifetime, `${numbers[hand.name] * 60}s`);
  });
}

async function appearanceTasks({ server, task }: TaskConsole): Promise<void> {
  await task("Change the color of the sign-in pages", async (hand) => {
    const color = hand.name === "mouse" ? "#b00020" : "#00508f";
    await hand.begins();
    await hand.opensSettings("Branding");
    await hand.fills("Buttons and links", color);
    await hand.sends("Buttons and links", "Save draft");
    await hand.presses("Activate");
    await hand.page.getByText("Draft not active").waitFor({ state: "detached" });
    const { policy } = await call(server, "admin.v1.AdminService/GetLabelPolicy", {});
    assert.equal(policy.primaryColor, color);
  });

  await task("Change the subject of the invitation mail", async (hand) => {
    const subject = `Welcome from ${nameOf(hand, "us")}`;
    await hand.begins();
    await hand.opensSettings("Texts");
    await hand.follows("Messages");
    await hand.chooses(/^Message/, "Invitation");
    await hand.fills("Subject", subject);
    await hand.sends("Subject", "Save");
    await hand.rests();
    const read = await call(server, "admin.v1.AdminService/GetCustomInviteUserMessageText", { language: "en" });
    assert.equal(read.customText.subject, subject);
  });
}

async function connectionTasks({ server, task }: TaskConsole): Promise<void> {
  await task("Let users sign in with Google", async (hand) => {
    await hand.begins();
    await hand.opensSettings("Identity providers");
    await hand.presses("Add provider");
    await hand.follows("Google");
    await hand.fills("Client ID", `${hand.name}.apps.example`);
    await hand.fills("Client secret", "secret-4711");
    await hand.ticks("Show it on the sign-in page at once");
    await hand.sends("Show it on the sign-in page at once", "Add provider");
    await hand.page.waitForURL(/\/settings\/providers\/\d+$/);
    const id = new URL(hand.page.url()).pathname.split("/").at(-1) ?? "";
    const offered = (await server.rest("GET", "/v2/settings/login/idps")).body.identityProviders ?? [];
    assert.ok(offered.some((provider: { readonly id: string }) => provider.id === id));
  });

  await task("Send mail through another server", async (hand) => {
    const host = `${nameOf(hand, "smtp")}.example:587`;
    await hand.begins();
    await hand.opensSettings("Mail server");
    await hand.presses("Add mail server");
    await hand.fills("Host and port", host);
    await hand.fills("Sender address", "login@localhost");
    await hand.fills("Sender name", "Login");
    await hand.chooses("Authentication", "None");
    await hand.sends("Sender name", "Add mail server");
    await hand.presses("Send mail through this server");
    await hand.page.getByRole("row", { name: new RegExp(`${host}.*Sends mail`) }).waitFor();
    const { result } = await call(server, "admin.v1.AdminService/ListEmailProviders", {});
    const used = result.filter(({ state }: { readonly state: string }) => state === "EMAIL_PROVIDER_ACTIVE");
    assert.deepEqual(
      used.map(({ smtp }: { readonly smtp: { readonly host: string } }) => smtp.host),
      [host],
    );
  });

  await task("Sign tokens with a new key", async (hand) => {
    await hand.begins();
    await hand.opensSettings("Signing keys");
    await hand.presses("Create key");
    const next = hand.page.getByRole("row", { name: /Published, not used yet/ });
    await next.waitFor();
    const id = ((await next.locator("code").first().textContent()) ?? "").trim();
    await hand.selects(/^Actions for key/, "Use for signing", next);
    await hand.presses("Use for signing");
    await hand.page.getByRole("row", { name: new RegExp(`${id}.*Signs tokens`) }).waitFor();
    const { webKeys } = await call(server, "webkey.v2.WebKeyService/ListWebKeys", {});
    const key = webKeys.find((each: { readonly id: string }) => each.id === id);
    assert.equal(key.state, "STATE_ACTIVE");
  });

  await task("Call a webhook when users are created", async (hand) => {
    const name = nameOf(hand, "hook");
    await hand.begins();
    await hand.goes("Automation");
    await hand.presses("Create target");
    await hand.fills("Name", name);
    await hand.fills("Endpoint", `https://${name}.invalid/users`);
    await hand.chooses("Kind", "Tell it, without waiting");
    await hand.sends("Endpoint", "Create target");
    await hand.presses("Done");
    await titled(hand, name);
    const targetId = new URL(hand.page.url()).pathname.split("/").at(-1) ?? "";
    await hand.presses("Add execution");
    const event = hand.name === "mouse" ? "user.created" : "user.deleted";
    await hand.picks("Event", event, new RegExp(`^${event.replace(".", "\\.")}`));
    await hand.presses("Save");
    await hand.page.getByText(`After ${event}`).waitFor();
    const { executions } = await call(server, "action.v2.ActionService/ListExecutions", {
      filters: [{ targetFilter: { targetId } }],
    });
    assert.equal(executions[0].condition.event.event, event);
  });
}
