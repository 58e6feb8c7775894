import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { onPostgres } from "../support/databases/databases.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { addOrganization, addPerson, appoint } from "../support/people/people.ts";
import { addForeignClient, refreshTokenOf, renew, takeAway } from "./support.ts";

const callers = 12;
// They took 4 to 11 seconds and were refused, because their unit of work lost each deadlock.
const longest = 3000;

// Ends that meet a stream of calls by those whom they end. On SQLite there is one writer.
onPostgres(() => {
  test("a user withdraws the consent to a client that renews all the time (A5)", async (t) => {
    const server = await startOidcServer(t, { engine: "postgres" });
    const client = await addForeignClient(server);
    const user = await addPerson(server, { username: "anna" });
    const tokens: string[] = [];
    for (let count = 0; count < callers; count++) tokens.push(await refreshTokenOf(server, client, user));
    let renewed = 0;
    const renewing = tokens.map(async (first) => {
      for (let token: string | undefined = first; token !== undefined; renewed++) {
        token = await renew(server, client, token);
      }
    });
    await sleep(300);
    await within(t, () => takeAway(server, client, user));
    // Each ends with a refusal.
    await Promise.all(renewing);
    assert.ok(renewed > callers);
  });

  test("the instance deletes an organization whose owner renames users all the time (A28)", async (t) => {
    const server = await startOidcServer(t, { engine: "postgres" });
    const { organizationId } = await addOwnedOrganization(server, "Tenant");
    const owner = await addServiceAccount(server, await addOrganization(server, "Elsewhere"), "owner");
    await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
    const users: string[] = [];
    for (const username of ["a", "b", "c"]) users.push((await addPerson(server, { username, organizationId })).userId);
    const answers = new Map<number, number>();
    const renaming = Array.from({ length: callers }, async (_, index) => {
      for (let status = 0; status !== 404; ) {
        const change = { userId: users[index % 3], username: index % 3 === 0 ? "b" : "a" };
        ({ status } = await server.connect("service.user.v2.UserService/UpdateUser", change, owner));
        answers.set(status, (answers.get(status) ?? 0) + 1);
        assert.ok([200, 404, 409].includes(status), `${status}`);
      }
    });
    await sleep(300);
    const { status } = await within(t, () =>
      server.connect("service.org.v2.OrganizationService/DeleteOrganization", { organizationId }),
    );
    assert.equal(status, 200);
    await Promise.all(renaming);
    assert.ok((answers.get(409) ?? 0) > 0);
  });
});

async function within<Result>(t: TestContext, end: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await end();
  const milliseconds = Math.round(performance.now() - began);
  t.diagnostic(`${milliseconds} ms`);
  assert.ok(milliseconds < longest, `${milliseconds} ms`);
  return result;
}
