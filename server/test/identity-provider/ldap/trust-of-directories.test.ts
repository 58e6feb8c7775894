import assert from "node:assert/strict";
import { startTestDirectory } from "../../support/identity-provider/test-directory.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { addStaff, createTrust } from "../trusted.ts";
import { bodyOfDirectory, prove, slug } from "./directories.ts";

const people = "ou=people,dc=example,dc=org";
const victim = {
  dn: `uid=victim,${people}`,
  password: "password of the victim",
  attributes: { objectClass: ["person", "inetOrgPerson"], uid: ["victim"], manager: [`uid=mallory,${people}`] },
};
const password = "chosen by mallory";
/** The account of the attacker, who may change some of it. */
const mallory = {
  dn: `uid=mallory,${people}`,
  password,
  attributes: { objectClass: ["person", "inetOrgPerson"], uid: ["mallory"], description: ["victim"] },
};
/** Entries that the attacker may make, where they are no users. */
const elsewhere = { ...mallory, dn: "uid=victim,ou=shared,dc=example,dc=org" };
const guest = { dn: `cn=guest,${people}`, password, attributes: { objectClass: ["person"], cn: ["guest"] } };

serversInTurn((start, test) => {
  test("a directory whose configuration is changed signs no user in by their links (A2)", async (t) => {
    const server = await start(t);
    const trust = createTrust(server);
    const directory = await startTestDirectory(t);
    const evil = await startTestDirectory(t);
    directory.entries = [
      victim,
      mallory,
      { ...elsewhere, attributes: { ...elsewhere.attributes, uid: ["victim"], cn: ["elsewhere"] } },
      { ...guest, attributes: { ...guest.attributes, uid: ["victim"] } },
    ];
    evil.entries = [{ ...victim, password }];
    const { organizationId, owner, manager, plain } = await addStaff(server, "listed");
    const good = bodyOfDirectory(directory, {
      baseDn: people,
      userObjectClasses: ["person", "inetOrgPerson"],
      userFilters: ["uid", "cn"],
    });
    const headers = { "x-zitadel-orgid": organizationId };
    const made = await server.rest("POST", "/management/v1/idps/ldap", { body: good, headers, token: owner.token });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const idpId: string = made.body.id;
    await changeSettings(server, "login", { identityProviderIds: [idpId] }, organizationId);
    assert.equal(await trust.link(plain.userId, idpId, "victim"), "200");

    const signIn = async (name: string, entered: string): Promise<string> => {
      server.clock.now += 10 * 60_000;
      const { status, body } = await prove(server, idpId, name, entered);
      if (status !== 200) return slug({ status, body, headers: new Headers() });
      const { idpIntentId, idpIntentToken } = body.idpIntent;
      const checks = { user: { userId: plain.userId }, idpIntent: { idpIntentId, idpIntentToken } };
      return slug(await server.rest("POST", "/v2/sessions", { body: { checks } }));
    };
    const change = (given: object) =>
      trust.manage(organizationId, manager.token, "PUT", `/idps/ldap/${idpId}`, { ...good, ...given });

    assert.equal(await signIn("mallory", password), "400 identity_intent.other_user", "an account of another user");
    const other = "400 identity_intent.other_user";
    for (const [what, given, name, expected] of [
      ["servers", { servers: [evil.url] }, "victim", other],
      ["servers in front", { servers: [evil.url, directory.url] }, "victim", other],
      ["base", { baseDn: "ou=shared,dc=example,dc=org" }, "elsewhere", other],
      ["classes", { userObjectClasses: ["person"] }, "guest", other],
      ["attribute with the name to bind with", { userBase: "manager" }, "victim", other],
      ["id attribute", { attributes: { idAttribute: "description" } }, "mallory", other],
      // How an entry is found says nothing of whose it is.
      ["filters", { userFilters: ["description"] }, "victim", "400 identity_intent.other_user"],
    ] as const) {
      await t.test(`another ${what} (A2)`, async () => {
        assert.equal(await signIn("victim", victim.password), "201", "an ordinary sign-in (control)");
        assert.equal(await change(given), "200");
        assert.equal(await signIn(name, password), expected);
        assert.equal(await change({}), "200");
        assert.equal(await signIn("victim", victim.password), "201", "back again (control)");
      });
    }

    await t.test("the password of the service account is sent nowhere else (A2)", async () => {
      const sent = evil.requests.filter((request) => request.kind === "bind");
      assert.ok(sent.length > 0, "the manager entered one with each change of the servers");
      const before = evil.requests.length;
      const { bindPassword: _, ...kept } = good;
      for (const servers of [[evil.url], [directory.url, evil.url]]) {
        const path = `/idps/ldap/${idpId}`;
        const answer = await trust.manage(organizationId, manager.token, "PUT", path, { ...kept, servers });
        assert.equal(answer, "400 identity_provider.bind_password_required");
      }
      const path = `/idps/ldap/${idpId}`;
      assert.equal(await trust.manage(organizationId, manager.token, "PUT", path, kept), "200", "the same servers");
      assert.equal(await signIn("victim", victim.password), "201");
      assert.equal(evil.requests.length, before);
    });
  });
});
