import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { freePort } from "../../../../server/test/support/http/free-port.ts";
import { addOrganization, defaultOrganization } from "../../../../server/test/support/people/people.ts";
import { askCommand, makeDirectory } from "../../../../server/test/support/servers/command.ts";
import type { TestServer } from "../../../../server/test/support/servers/server.ts";
import { browserTest } from "../../../support/browser.ts";
import type { ConsoleHand } from "../../../support/console-hand.ts";
import { call, nameOf, startTasks, type TaskConsole, titled } from "../../../support/console-tasks.ts";
import { runSnippet } from "../../../support/snippet-program.ts";

const applications = "application.v2.ApplicationService";

browserTest("an administrator does what applications need, by mouse and by keyboard", async (t, browser) => {
  const tasks = await startTasks(t, browser);
  await applicationTasks(tasks);
  await projectTasks(tasks);
  await t.test("The commands that do the same", (subtest) => commands(subtest, tasks));
  tasks.console.assertQuiet();
});

async function applicationTasks({ server, task }: TaskConsole): Promise<void> {
  await task("Sign in to a first application of one’s own", async (hand, ending) => {
    const { page } = hand;
    const redirectUri = `http://localhost:${await freePort()}/callback`;
    await hand.begins();
    await hand.follows("Create your first application");
    await hand.ticks(/^Express/);
    await hand.fills("Name", nameOf(hand, "first"));
    await hand.fills("Redirect URIs", redirectUri);
    await hand.sends("Redirect URIs", "Create application");
    await titled(hand, `${nameOf(hand, "first")} is ready`);
    const shown = await page.locator("pre").allTextContents();
    const [variables = "", code = ""] = shown;
    const pairs = variables.split("\n").map((line) => /^(\w+)=(.*)$/.exec(line)?.slice(1) ?? []);
    await runSnippet(ending, code, Object.fromEntries(pairs));
    // The browser that signs in has the time of now.
    server.clock.now = Date.now();
    const tab = await page.context().newPage();
    await tab.goto(new URL("/login", redirectUri).href);
    assert.equal(await tab.locator("body").textContent(), "Hello olga Example");
    await tab.close();
    await page.getByText("The first user signed in").waitFor();
  });

  await task("Create an application in a project", async (hand) => {
    const name = nameOf(hand, "cart");
    const projectId = await addProject(server, name);
    await hand.begins();
    await hand.finds(name, new RegExp(`^${name} `));
    await titled(hand, name);
    await hand.follows("Applications");
    await hand.follows("Create application");
    await hand.ticks(/^React/);
    await hand.fills("Name", `${name} page`);
    await hand.sends("Name", "Create application");
    await titled(hand, `${name} page is ready`);
    const filters = [{ projectIdFilter: { projectId } }];
    const found = await call(server, `${applications}/ListApplications`, { filters });
    assert.deepEqual(found.applications[0].oidcConfiguration.redirectUris, ["http://localhost:5173/callback"]);
  });

  await task("Add a redirect URI", async (hand) => {
    const { name, applicationId } = await addApplication(server, nameOf(hand, "uri"));
    await hand.begins();
    await openApplication(hand, name);
    await hand.follows("Addresses");
    await hand.adds("Redirect URIs", "https://staging.example/callback");
    await hand.sends("Redirect URIs", "Save");
    await hand.rests();
    const { application } = await call(server, `${applications}/GetApplication`, { applicationId });
    assert.deepEqual(application.oidcConfiguration.redirectUris, [
      "https://shop.example/callback",
      "https://staging.example/callback",
    ]);
  });

  await task("Replace a client secret", async (hand) => {
    const { name, clientId, clientSecret } = await addApplication(server, nameOf(hand, "sec"));
    await hand.begins();
    await openApplication(hand, name);
    await hand.follows("Credentials");
    await hand.presses("Generate secret");
    await hand.presses("Generate secret");
    const fresh = (await hand.page.getByRole("dialog").locator("code").textContent()) ?? "";
    await hand.presses("Done");
    assert.deepEqual(
      [await isAccepted(server, clientId, clientSecret), await isAccepted(server, clientId, fresh)],
      [false, true],
    );
  });

  await task("Deactivate an application", async (hand) => {
    const { name, applicationId } = await addApplication(server, nameOf(hand, "off"));
    await hand.begins();
    await openApplication(hand, name);
    await hand.selects("Actions for this application", "Deactivate application");
    await hand.presses("Deactivate application");
    await hand.page.getByText("Inactive", { exact: true }).waitFor();
    const { application } = await call(server, `${applications}/GetApplication`, { applicationId });
    assert.equal(application.state, "APPLICATION_STATE_INACTIVE");
  });
}

async function projectTasks({ server, task }: TaskConsole): Promise<void> {
  await task("Create a project with a role", async (hand) => {
    const name = nameOf(hand, "books");
    await hand.begins();
    await hand.goes("Projects");
    await hand.presses("Create project");
    await hand.fills("Name", name);
    await hand.sends("Name", "Create project");
    await titled(hand, name);
    const projectId = new URL(hand.page.url()).pathname.split("/").at(-1) ?? "";
    await hand.follows("Roles");
    await hand.presses("Add role");
    await hand.fills("Key", "reader");
    await hand.sends("Key", "Add role");
    await hand.page.getByRole("row", { name: /reader/ }).waitFor();
    const { projectRoles } = await call(server, "project.v2.ProjectService/ListProjectRoles", { projectId });
    assert.deepEqual(
      projectRoles.map(({ key }: { readonly key: string }) => key),
      ["reader"],
    );
  });

  await task("Grant a project to an organization", async (hand) => {
    const name = nameOf(hand, "grant");
    const projectId = await addProject(server, name);
    await call(server, "project.v2.ProjectService/AddProjectRole", {
      projectId,
      roleKey: "clerk",
      displayName: "Clerk",
    });
    const organizationId = await addOrganization(server, nameOf(hand, "partner"));
    await hand.begins();
    await hand.finds(name, new RegExp(`^${name} `));
    await titled(hand, name);
    await hand.follows("Grants");
    await hand.presses("Grant to an organization");
    await hand.picks("Organization", nameOf(hand, "pa"), new RegExp(`^${nameOf(hand, "partner")}`));
    await hand.ticks(/^Clerk/);
    await hand.presses("Grant to an organization");
    await hand.page.getByRole("row", { name: new RegExp(`${nameOf(hand, "partner")}.*clerk`) }).waitFor();
    const filters = [{ inProjectIdsFilter: { ids: [projectId] } }];
    const { projectGrants } = await call(server, "project.v2.ProjectService/ListProjectGrants", { filters });
    assert.deepEqual(
      [projectGrants[0].grantedOrganizationId, projectGrants[0].grantedRoleKeys],
      [organizationId, ["clerk"]],
    );
  });

  await task("Describe an API and its scope", async (hand) => {
    const name = nameOf(hand, "api");
    const projectId = await addProject(server, name);
    await hand.begins();
    await hand.finds(name, new RegExp(`^${name} `));
    await titled(hand, name);
    await hand.follows("APIs");
    await hand.presses("Add API");
    await hand.fills("Name", "Orders");
    await hand.fills("URI", `https://${name}.example/orders`);
    await hand.presses("Add scope");
    await hand.fills("Scope", "orders:read");
    await hand.sends("Scope", "Add API");
    await hand.page.getByRole("row", { name: /Orders/ }).waitFor();
    const filters = [{ projectId: { id: projectId } }];
    const { resources } = await call(server, "resource.v2.ResourceService/ListResources", { filters });
    assert.equal(resources[0].scopes[0].name, "orders:read");
  });
}

async function commands(subtest: TestContext, { server }: TaskConsole): Promise<void> {
  const options = { in: makeDirectory(subtest), environment: { DOORWARD_TOKEN: server.ownerToken } };
  const ask = (...args: readonly string[]) => askCommand(subtest, [...args, "--server", server.origin], options);
  const [shop, bot, orders] = await Promise.all([
    ask("app", "create", "shop"),
    ask("app", "create", "bot", "--type", "machine"),
    ask("app", "create", "orders", ...mcpServer),
  ]);
  const cart = await ask("app", "create", "cart", "--type", "spa", "--project", shop.projectId);
  await ask("app", "update", cart.applicationId, "--redirect-uri", ...addresses);
  const { application } = await call(server, `${applications}/GetApplication`, { applicationId: cart.applicationId });
  assert.deepEqual([application.projectId, application.oidcConfiguration.redirectUris], [shop.projectId, addresses]);
  assert.ok(bot.clientSecret.length > 20);
  const { resources } = await call(server, "resource.v2.ResourceService/ListResources", {});
  const made = resources.find(({ uri }: { readonly uri: string }) => uri === mcpServer[3]);
  assert.equal(made.scopes[0].name, "orders:read", JSON.stringify(orders));
}

const addresses = ["https://shop.example/callback", "https://staging.example/callback"];
const mcpServer = ["--type", "mcp-server", "--uri", "https://orders.example/mcp", "--scope", "orders:read=Orders"];

async function openApplication(hand: ConsoleHand, name: string): Promise<void> {
  await hand.finds(name, new RegExp(`^${name} `));
  await titled(hand, name);
}

async function addProject(server: TestServer, name: string): Promise<string> {
  const organizationId = await defaultOrganization(server);
  return (await call(server, "project.v2.ProjectService/CreateProject", { organizationId, name })).projectId;
}

/** An application with a secret, in a project that has another name. */
async function addApplication(server: TestServer, name: string) {
  const projectId = await addProject(server, `Of ${name}`);
  const oidcConfiguration = {
    redirectUris: ["https://shop.example/callback"],
    authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
  };
  const made = await call(server, `${applications}/CreateApplication`, { projectId, name, oidcConfiguration });
  const { clientId, clientSecret } = made.oidcConfiguration;
  return { name, applicationId: made.applicationId, clientId, clientSecret };
}

/** Whether a client authenticates with a secret. */
async function isAccepted(server: TestServer, clientId: string, secret: string): Promise<boolean> {
  const { status } = await fetch(`${server.origin}/oauth/v2/introspect`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
    body: new URLSearchParams({ token: "none" }),
  });
  return status === 200;
}
