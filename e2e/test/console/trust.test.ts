import assert from "node:assert/strict";
import { sql } from "../../../server/src/database/index.ts";
import { testCall } from "../../../server/test/support/operations/call.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../../../server/test/support/people/people.ts";
import type { TestServer } from "../../../server/test/support/servers/server.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";

browserTest(
  "the console appoints the user with the id of the address, not one with a name like it",
  async (t, browser) => {
    const console = await startConsole(t, browser);
    const { server, owner } = console;
    const userId = "6f1c0f0e-8a5e-4a43-9d55-6f7f3b0a1c11";
    const profile = { givenName: "Alice", familyName: "Berg" };
    const alice = { username: "alice", human: { profile, email: { email: "alice@home.example", isVerified: true } } };
    const { organizationId } = owner;
    await call(server, "user.v2.UserService/CreateUser", { ...alice, organizationId, userId });
    const evil = await addOrganization(server, "Evil");
    const double = {
      username: userId,
      human: { profile, email: { email: `${userId}@evil.example`, isVerified: true } },
    };
    const { id } = await call(server, "user.v2.UserService/CreateUser", { ...double, organizationId: evil });

    const { page, open } = await console.openAs(owner);
    await open(`/administrators/new?level=instance&user=${userId}`);
    await page.getByText("alice", { exact: false }).first().waitFor();
    assert.equal(await page.getByRole("combobox", { name: "User", exact: true }).inputValue(), "Alice Berg");
    await page
      .getByRole("checkbox", { name: /^Organization manager|^User manager/ })
      .first()
      .check();
    await page.getByRole("button", { name: "Add administrator", exact: true }).click();
    await page
      .getByRole("row", { name: /Alice Berg/ })
      .first()
      .waitFor();
    assert.notDeepEqual(await rolesOf(server, userId), []);
    assert.deepEqual(await rolesOf(server, id), []);
  },
);

browserTest("the console leaves the organization of a link, and names what is an organization", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const organizationId = await addOrganization(server, "Evil");
  await call(server, "org.v2.OrganizationService/UpdateOrganization", { organizationId, name: "Whole instance" });
  const { page, open } = await console.openAs(console.owner);
  await open(`/settings?org=${organizationId}`);
  await page.getByRole("button", { name: /Organization\s*Whole instance/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Whole instance", exact: true }).click();
  await page.waitForURL((url) => !url.searchParams.has("org"));
  await page.getByText("What holds for every organization that has no settings of its own.").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Users" }).click();
  await page.getByRole("row", { name: /olga/ }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("org"), null);
});

browserTest("the console shows no words of a link", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const { page } = await console.openAs(console.owner);
  const words = { error: "Account locked", error_description: "Call +1 900 555 0100." };
  for (const iss of ["https://evil.example", server.origin]) {
    await page.goto(
      `${server.origin}/ui/console/?${new URLSearchParams({ ...words, iss, state: "https://evil.example/" })}`,
    );
    await page.locator("main h1").waitFor();
    assert.doesNotMatch(await page.locator("body").innerText(), /900|locked/);
    assert.equal(new URL(page.url()).origin, server.origin);
  }
});

browserTest("the console asks which of several accounts it is for, and stays with it", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  const eve = await addPerson(server, { username: "eve", organizationId: await addOrganization(server, "Evil") });
  await appoint(server, eve, { organizationId: eve.organizationId }, ["ORG_OWNER"]);
  const { page, open } = await console.openAs(owner);
  await open("/users");
  const { domain } = server.app;
  const { instanceId = "" } = (await domain.findInstanceByHost("localhost")) ?? {};
  const { sessionId } = await sessionOf(server, eve);
  await domain.database.touch(testCall({ instanceId, now: domain.clock() }), (tx) =>
    tx.run(sql`update sessions set browser_hash = (select max(browser_hash) from sessions
      where instance_id = ${instanceId} and user_id = ${owner.userId} and browser_hash is not null)
      where instance_id = ${instanceId} and session_id = ${sessionId}`),
  );
  await page.goto(`${server.origin}/ui/console/users`);
  await page.getByRole("button", { name: /olga/ }).click();
  await page.getByRole("row", { name: /olga/ }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/ui/console/users");
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
});

async function call(server: TestServer, method: string, body: object) {
  const answer = await server.connect(`service.${method}`, body);
  assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function rolesOf(server: TestServer, userId: string): Promise<string[]> {
  const body = { filters: [{ inUserIdsFilter: { ids: [userId] } }] };
  const found = await call(server, "internal_permission.v2.InternalPermissionService/ListAdministrators", body);
  type Position = { readonly roles?: readonly string[]; readonly pendingRoles?: readonly string[] };
  return (found.administrators ?? []).flatMap(({ roles = [], pendingRoles = [] }: Position) => [
    ...roles,
    ...pendingRoles,
  ]);
}
