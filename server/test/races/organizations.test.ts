import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { slugOf } from "../factor/support.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { beginOutside, type OutsideTransaction } from "../support/databases/outside-transaction.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { addOwnedOrganization, addServiceAccount, type OwnedOrganization } from "../support/people/owners.ts";
import { addOrganization, appoint } from "../support/people/people.ts";

const organizations = "service.org.v2.OrganizationService";
const users = "service.user.v2.UserService";

// What another transaction does to an organization while a call is under way: the call is made while the other one has
// the row, and goes on when it has committed. On SQLite there is one writer.
onPostgres(() => {
  describe("an organization that another transaction changes", () => {
    test("an owner's call undoes no suspension by the instance", async (t) => {
      const { server, owner, outside } = await start(t);
      const activate = () =>
        server.connect(`${organizations}/ActivateOrganization`, { organizationId: owner.organizationId }, owner);
      assert.equal(slugOf(await activate()), "done");
      await outside.run(
        "update organizations set state = 'inactive', is_deactivated_by_instance = 1 where organization_id = $1",
        [owner.organizationId],
      );
      const answer = await during(outside, activate);
      assert.equal(slugOf(answer), "organization.deactivated_by_instance");
      assert.equal(await stateOf(server, owner), "ORGANIZATION_STATE_INACTIVE");
    });

    test("an owner's call undoes a deactivation by another owner", async (t) => {
      const { server, owner, outside } = await start(t);
      await outside.run("update organizations set state = 'inactive' where organization_id = $1", [
        owner.organizationId,
      ]);
      const answer = await during(outside, () =>
        server.connect(`${organizations}/ActivateOrganization`, { organizationId: owner.organizationId }, owner),
      );
      assert.equal(slugOf(answer), "done");
      assert.equal(await stateOf(server, owner), "ORGANIZATION_STATE_ACTIVE");
    });

    test("a domain that is removed meanwhile does not become the primary one", async (t) => {
      const { server, owner, outside } = await start(t);
      const makePrimary = (domain: string) =>
        server.rest("POST", `/management/v1/orgs/me/domains/${domain}/_set_primary`, {
          body: {},
          headers: { "x-service-orgid": owner.organizationId },
          token: owner.token,
        });
      for (const domain of ["kept.example", "removed.example"]) await prove(server, owner, domain);
      await outside.run("select 1 from organizations where organization_id = $1 for update", [owner.organizationId]);
      await outside.run("delete from organization_domains where domain = $1", ["removed.example"]);
      const answer = await during(outside, () => makePrimary("removed.example"));
      assert.equal(slugOf(answer), "organization.domain_not_found");
      assert.notEqual((await organizationOf(server, owner)).primaryDomain, "removed.example");
      assert.equal(slugOf(await makePrimary("kept.example")), "done");
      assert.equal((await organizationOf(server, owner)).primaryDomain, "kept.example");
    });

    test("an organization that becomes the default one stays active", async (t) => {
      const { server, owner, outside } = await start(t);
      const deactivate = () =>
        server.connect(`${organizations}/DeactivateOrganization`, { organizationId: owner.organizationId }, owner);
      await outside.run("select 1 from organizations where organization_id = $1 for share", [owner.organizationId]);
      await outside.run("update instances set default_organization_id = $1", [owner.organizationId]);
      assert.equal(slugOf(await during(outside, deactivate)), "organization.is_default");
      assert.equal(await stateOf(server, owner), "ORGANIZATION_STATE_ACTIVE");
    });
  });

  test("users who are created while another organization proves the domain of their names do not keep them", async (t) => {
    const { server, owner, outside } = await start(t);
    const bank = await addOwnedOrganization(server, "Bank");
    // The user's unit of work has formed the name, and stops at the id until this transaction ends.
    await outside.run(
      "insert into identifiers (instance_id, identifier, kind) select instance_id, 'late', 'user' from instances",
      [],
    );
    const creating = createUser(server, owner, { userId: "late", username: "u@bank.example" });
    await outside.untilWaiting(1);
    const proving = prove(server, bank, "bank.example");
    await outside.untilWaiting(2);
    const later = createUser(server, owner, { userId: "later", username: "v@bank.example" });
    await outside.untilWaiting(3);
    const elsewhere = await createUser(server, owner, { userId: "elsewhere", username: "w@other.example" });
    assert.equal(elsewhere, "w@other.example");
    await outside.run("delete from identifiers where identifier = 'late'", []);
    await outside.commit();
    await Promise.all([creating, proving]);
    const own = (await organizationOf(server, owner)).primaryDomain;
    assert.equal(await loginNameOf(server, "late"), `u@bank.example@${own}`);
    assert.equal(await later, `v@bank.example@${own}`);
    assert.equal(await createUser(server, bank, { userId: "ours", username: "u@bank.example" }), "u@bank.example");
  });
});

interface Setting {
  readonly server: OidcServer;
  /** An organization whose owner is at home elsewhere. */
  readonly owner: OwnedOrganization;
  readonly outside: OutsideTransaction;
}

async function start(t: TestContext): Promise<Setting> {
  const server = await startOidcServer(t, { engine: "postgres" });
  await server.rest("PUT", "/admin/v1/policies/domain", {
    body: { userLoginMustBeDomain: false, validateOrgDomains: false },
  });
  const { organizationId } = await addOwnedOrganization(server, "Tenant");
  const elsewhere = await addOrganization(server, "Elsewhere");
  const account = await addServiceAccount(server, elsewhere, "owner-at-home-elsewhere");
  await appoint(server, account, { organizationId }, ["ORG_OWNER"]);
  const outside = await beginOutside(t, server.app.domain.database);
  return { server, owner: { ...account, organizationId }, outside };
}

/** Makes a call that waits for what the transaction has, commits the transaction, and returns the answer. */
async function during<Answer>(outside: OutsideTransaction, call: () => Promise<Answer>): Promise<Answer> {
  const answering = call();
  await outside.untilWaiting(1);
  await outside.commit();
  return answering;
}

/** Adds a domain that counts as proven on the word of an administrator of the instance. */
async function prove(server: OidcServer, { organizationId }: OwnedOrganization, domain: string): Promise<void> {
  const headers = { "x-service-orgid": organizationId };
  const answer = await server.rest("POST", "/management/v1/orgs/me/domains", { body: { domain }, headers });
  assert.equal(slugOf(answer), "done");
}

/** As an administrator of the instance, creates a user with an address as username; returns the login name. */
async function createUser(
  server: OidcServer,
  { organizationId }: OwnedOrganization,
  { userId, username }: { readonly userId: string; readonly username: string },
): Promise<string> {
  const human = {
    profile: { givenName: "A", familyName: "B" },
    email: { email: username, isVerified: true },
  };
  const user = { organizationId, userId, username, human };
  const answer = await server.connect(`${users}/CreateUser`, user);
  assert.equal(slugOf(answer), "done");
  return loginNameOf(server, userId);
}

const loginNameOf = async (server: OidcServer, userId: string): Promise<string> =>
  (await server.connect(`${users}/GetUserByID`, { userId })).body.user.preferredLoginName;

async function organizationOf(server: OidcServer, { organizationId }: OwnedOrganization) {
  const queries = [{ idQuery: { id: organizationId } }];
  return (await server.connect(`${organizations}/ListOrganizations`, { queries })).body.result[0];
}

const stateOf = async (server: OidcServer, owner: OwnedOrganization): Promise<string> =>
  (await organizationOf(server, owner)).state;
