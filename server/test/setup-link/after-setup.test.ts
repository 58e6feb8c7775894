import assert from "node:assert/strict";
import { test } from "node:test";
import { inboxOf, slugOf } from "../factor/support.ts";
import { startTestProvider, type TestProvider } from "../support/identity-provider/test-provider.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { type Fields, type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { createLink, isOpen, openLink, providersOf } from "./support.ts";

const parts = ["SETUP_PART_IDENTITY_PROVIDER"];

const fieldsOf = ({ issuer, clientSecret }: TestProvider) => ({
  provider_name: "Acme ID",
  issuer,
  client_id: "doorward",
  client_secret: clientSecret,
});

/** Opens a link of an organization and adds a provider with it; returns a way to send its forms, from whatever page. */
async function setUp(server: TestServer, organizationId: string, token: string, provider: TestProvider) {
  const { browser, page } = await openLink(server, await createLink(server, organizationId, { token, parts }));
  const [form] = page.forms;
  assert.ok(form);
  const send = (path: string, fields: Fields = {}): Promise<ShownPage> =>
    browser.submit({ ...page, forms: [{ ...form, action: `/ui/setup-link/${path}` }] }, fields);
  assert.ok(isOpen(await send("oidc", fieldsOf(provider))));
  const [added] = await providersOf(server, organizationId);
  assert.ok(added);
  return { browser, send, id: added.id };
}

eachServer((start) => {
  test("what users made in sessions at the provider of a link lets no administrator in", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const provider = await startTestProvider(t, () => server.clock.now);
    const { send, id } = await setUp(server, organizationId, token, provider);
    await send("offer");
    const email = "cfo@acme.example";
    provider.user = { sub: "stranger", given_name: "C", family_name: "F", email, email_verified: true };
    const browser = new TestBrowser(server);
    const login = `/ui/login?account=other&organization=${organizationId}`;
    const away = await browser.submit(await browser.open(login), { provider: id }, { action: "/ui/login/provider" });
    const back = provider.signIn(away.address);
    const arrived = await browser.open(back.pathname + back.search);
    if (arrived.forms.some(({ action }) => action.includes("/ui/login/external"))) {
      await browser.submit(arrived, {}, { action: "/ui/login/external" });
    }
    const password = "a sentence that a stranger chose";
    const form = await browser.open("/ui/account/password");
    const set = await browser.submit(form, { new_password: password, new_password_repeated: password });
    assert.equal(set.alert, undefined);
    const nameIt = async (visitor: TestBrowser) =>
      visitor.submit(await visitor.open(login), { login_name: email }, { action: "/ui/login" });
    const byPassword = async () => {
      const visitor = new TestBrowser(server);
      return visitor.submit(await nameIt(visitor), { password }, { action: "/ui/login/password" });
    };
    const found = await server.rest("POST", "/v2/users", {
      body: { queries: [{ emailQuery: { emailAddress: email } }] },
    });
    const { userId } = found.body.result[0];
    const bySession = () =>
      server.rest("POST", "/v2/sessions", { body: { checks: { user: { userId }, password: { password } } } });
    assert.equal(slugOf(await bySession()), "done");
    await appoint(server, { userId }, { organizationId }, ["ORG_OWNER"]);
    const refused = await byPassword();
    assert.match(refused.alert ?? "", /your role has changed/, refused.html);
    assert.equal(slugOf(await bySession()), "user.credential_suspended");
    // Nor does a code to the address that the provider named.
    const visitor = new TestBrowser(server);
    const asked = await nameIt(visitor);
    await visitor.submit(await visitor.open(asked.address.replace("/password?", "/forgotten?")), {});
    const isReset = (message: object) => /[?&;]code=/.test(JSON.stringify(message));
    assert.deepEqual((await inboxOf(server, email)).filter(isReset), []);
    // An administrator with the rights of the role gives them a password, as they would give an invitation.
    const given = { newPassword: { password: "a sentence of an administrator" } };
    const body = { checks: { user: { userId }, password: given.newPassword } };
    assert.equal(slugOf(await server.rest("POST", `/v2/users/${userId}/password`, { body: given })), "done");
    assert.equal(slugOf(await server.rest("POST", "/v2/sessions", { body })), "done");
  });

  test("an organization whose own provider is offered goes on to follow the instance", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const provider = await startTestProvider(t, () => server.clock.now);
    const { send, id } = await setUp(server, organizationId, token, provider);
    const headers = { "x-service-orgid": organizationId };
    const policies = "/management/v1/policies/login";
    const policy = async () => (await server.rest("GET", policies, { headers, token })).body.policy;
    const forceMfa = async (isForced: boolean) => {
      const { body } = await server.rest("GET", "/admin/v1/policies/login");
      const { details: _, isDefault: __, idps: ___, ...values } = body.policy;
      const put = await server.rest("PUT", "/admin/v1/policies/login", { body: { ...values, forceMfa: isForced } });
      assert.equal(put.status, 200, JSON.stringify(put.body));
    };
    const login = async () =>
      (await new TestBrowser(server).open(`/ui/login?account=other&organization=${organizationId}`)).html;
    const idsOf = ({ idps = [] }: { idps?: { idpId: string }[] }) => idps.map(({ idpId }) => idpId);
    assert.match((await send("offer")).html, /The sign-in page shows a button for it/);
    assert.ok((await login()).includes(`value="${id}"`));
    await forceMfa(true);
    const following = await policy();
    assert.deepEqual([following.forceMfa, following.isDefault, idsOf(following)], [true, true, [id]]);
    await forceMfa(false);
    assert.equal((await policy()).forceMfa ?? false, false);

    // Of providers that are offered and withdrawn at once, none is lost.
    const add = { issuer: "https://issuer.example", clientId: "one", clientSecret: "two" };
    const others = await Promise.all(
      ["One", "Two", "Three"].map(async (name) => {
        const made = await server.rest("POST", "/management/v1/idps/generic_oidc", {
          headers,
          token,
          body: { name, ...add },
        });
        return String(made.body.id);
      }),
    );
    const ask = (method: string, path: string, body?: object) =>
      server.rest(method, `${policies}${path}`, { headers, token, ...(body !== undefined && { body }) });
    const offer = (idpId: string) => ask("POST", "/idps", { idpId, ownerType: "IDP_OWNER_TYPE_ORG" });
    for (const { status, body } of await Promise.all(others.map(offer)))
      assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(idsOf(await policy()).toSorted(), [id, ...others].toSorted());
    await Promise.all(others.slice(1).map((each) => ask("DELETE", `/idps/${each}`)));
    assert.deepEqual(idsOf(await policy()).toSorted(), [id, others[0]].toSorted());

    // The first change of another setting makes them part of a document of its own; a reset ends both.
    assert.equal((await ask("PUT", "", { allowUsernamePassword: true, allowExternalIdp: true })).status, 200);
    const own = await policy();
    assert.deepEqual([own.isDefault ?? false, idsOf(own).toSorted()], [false, [id, others[0]].toSorted()]);
    await forceMfa(true);
    assert.equal((await policy()).forceMfa ?? false, false);
    assert.equal((await ask("DELETE", "")).status, 200);
    assert.deepEqual(idsOf(await policy()), []);
    await send("offer");
    assert.deepEqual(idsOf(await policy()), [id]);
    await send("remove");
    const left = await policy();
    assert.deepEqual([left.forceMfa, left.isDefault, idsOf(left)], [true, true, []]);
  });

  test("the holder of a link leaves alone what an administrator deactivated or gave another form", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const provider = await startTestProvider(t, () => server.clock.now);
    const { browser, send, id } = await setUp(server, organizationId, token, provider);
    await send("offer");
    const headers = { "x-service-orgid": organizationId };
    const move = async (path: string, body: object = {}) => {
      const moved = await server.rest("POST", `/management/v1/idps/${path}`, { headers, token, body });
      assert.equal(moved.status, 200, JSON.stringify(moved.body));
    };
    await move(`${id}/_deactivate`);
    const told = /An administrator deactivated this provider/;
    const shown = await browser.open("/ui/setup-link/tasks");
    assert.match(shown.html, told);
    assert.ok(!shown.forms.some(({ action }) => /\/(?:oidc|offer|remove|test)$/.test(action)), shown.html);
    for (const path of ["remove", "offer", "oidc"]) {
      assert.match((await send(path, fieldsOf(provider))).alert ?? "", told, path);
    }
    const states = async () =>
      (await providersOf(server, organizationId)).map((each) => [each.id, (each as { state?: string }).state]);
    assert.deepEqual(await states(), [[id, "IDP_STATE_INACTIVE"]]);
    await move(`${id}/_reactivate`);
    await move(`generic_oidc/${id}/_migrate`, { google: { name: "Workspace", clientId: "one", clientSecret: "two" } });
    const migrated = await browser.open("/ui/setup-link/tasks");
    assert.equal(migrated.status, 200);
    assert.match(migrated.html, /Workspace/);
    assert.ok(isOpen(await send("remove")));
    assert.deepEqual(await states(), []);
  });
});
