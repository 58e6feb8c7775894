import assert from "node:assert/strict";
import { test } from "node:test";
import { days, hours } from "../../src/base/clock.ts";
import { sql } from "../../src/database/index.ts";
import { samlMetadata } from "../support/identity-provider/saml-metadata.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { testCall } from "../support/operations/call.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import type { TestServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { createLink, domainsOf, isClosed, isOpen, openLink, present, providersOf, uploadSaml } from "./support.ts";

const refusal = ({ status, body }: { status: number; body: { details?: { id: string }[] } }): string =>
  `${status} ${body.details?.[0]?.id ?? ""}`;

const oidc = (issuer: string) => ({
  provider_name: "Acme ID",
  issuer,
  client_id: "doorward",
  client_secret: "the client secret",
});

/** Adds a domain with an open link; true when that was done. */
async function addsDomain(
  server: TestServer,
  organizationId: string,
  { browser, page }: Awaited<ReturnType<typeof openLink>>,
  domain: string,
): Promise<boolean> {
  const shown = await browser.submit(page, { domain }, { action: "/domain" });
  const isThere = (await domainsOf(server, organizationId)).includes(domain);
  assert.equal(isClosed(shown), !isThere, shown.html);
  return isThere;
}

eachServer((start) => {
  test("the holder of a link sets up domain and provider, and nothing of the link is in a log or an event", async (t) => {
    const log: string[] = [];
    const server = await start(t, { log });
    const { organizationId, token, userId } = await addOwnedOrganization(server, "Acme");
    const provider = await startTestProvider(t, () => server.clock.now);
    const link = await createLink(server, organizationId, { token });
    const { browser, page } = await openLink(server, link);
    assert.match(page.html, /Set up Acme/);
    const cookie = browser.cookies.get("doorward-setup") ?? assert.fail("no cookie");

    const added = await browser.submit(page, { domain: "Corp.Acme.Example " }, { action: "/domain" });
    assert.match(added.html, /_doorward-challenge\.corp\.acme\.example/);
    const unproven = await browser.submit(added, { domain: "unknown.example" }, { action: "/check" });
    assert.match(unproven.alert ?? "", /\w/);
    // As if the record had been found.
    const { database } = server.app.domain;
    const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
    const call = testCall({ instanceId, now: server.clock.now });
    await database.touch(call, (tx) =>
      tx.run(sql`update organization_domains set is_verified = 1, is_proven = 1
        where instance_id = ${instanceId} and domain = 'corp.acme.example'`),
    );
    assert.match((await browser.submit(added, {}, { action: "/check" })).html, /badge good">Verified/);

    assert.match(unproven.html, new RegExp(`${server.origin}/idps/callback/${organizationId}`));
    const refused = await browser.submit(
      unproven,
      { ...oidc("http://issuer.example"), client_id: "" },
      { action: "/oidc" },
    );
    assert.ok(refused.alert !== undefined && refused.html.includes("http://issuer.example"));
    assert.doesNotMatch(refused.html, /the client secret/);
    const saved = await browser.submit(refused, oidc(provider.issuer), { action: "/oidc" });
    assert.ok(isOpen(saved), saved.html);
    assert.doesNotMatch(saved.html, /the client secret/);
    const tested = await browser.submit(saved, {}, { action: "/test" });
    assert.match(tested.html, /The provider answers\./);
    const offered = await browser.submit(tested, {}, { action: "/offer" });
    assert.match(offered.html, /The sign-in page shows a button for it/);
    const [listed, ...others] = await providersOf(server, organizationId);
    assert.ok(listed);
    assert.deepEqual([listed.name, others.length], ["Acme ID", 0]);
    const signIn = await new TestBrowser(server).open(`/ui/login?account=other&organization=${organizationId}`);
    assert.ok(signIn.html.includes(`name="provider" value="${listed.id}"`), signIn.html);
    // It links no account by itself, and no administrator is signed in by it: their rights are not behind it.
    assert.equal(
      listed.config.options["autoLinking"] ?? "AUTO_LINKING_OPTION_UNSPECIFIED",
      "AUTO_LINKING_OPTION_UNSPECIFIED",
    );
    const answered = await server.app.domain.database.read.maybe<{ who: string }>(
      sql`select answered_with as "who" from identity_providers where identity_provider_id = ${listed.id}`,
    );
    assert.doesNotMatch(answered?.who ?? "", /ORG_OWNER|user\.|org\.member/);

    const done = await browser.submit(offered, {}, { action: "/finish" });
    assert.match(done.html, /The link no longer works/);
    assert.ok(isClosed(await present(browser, link)));
    const types = (await recordedEvents(server)).map(({ type }) => type);
    const expected = ["created", "opened"].map((what) => `setup_link.${what}`);
    expected.push("organization.domain.added", "organization.idp.oidc.added", "setup_link.revoked");
    assert.deepEqual(
      types.slice(types.indexOf("setup_link.created")).filter((type) => expected.includes(type)),
      expected,
    );
    const editors = await server.app.domain.database.read.all<{ userId: string; clientId: string }>(
      sql`select distinct editor_user_id as "userId", editor_client_id as "clientId" from events
        where type in ('organization.idp.oidc.added', 'setup_link.opened', 'setup_link.revoked')`,
    );
    assert.deepEqual(editors, [{ userId, clientId: link.id }]);
    const stateOf = async () => {
      const listed = await server.rest("POST", "/v2/setup_links/search", { token, body: { organizationId } });
      return listed.body.links.map(({ state }: { state: string }) => state.replace("SETUP_LINK_STATE_", ""));
    };
    assert.deepEqual(await stateOf(), ["FINISHED"]);
    const revoke = () => server.rest("POST", `/v2/setup_links/${link.id}/revoke`, { token, body: {} });
    assert.equal((await revoke()).body.link.state, "SETUP_LINK_STATE_REVOKED");
    assert.equal((await revoke()).body.link.state, "SETUP_LINK_STATE_REVOKED");
    const ends = (await recordedEvents(server)).filter(({ type }) => type === "setup_link.revoked");
    assert.deepEqual(
      ends.map(({ payload }) => payload["isFinished"]),
      [true, false],
    );
    for (const secret of [link.code, cookie]) {
      assert.ok(!log.some((line) => line.includes(secret)), "a secret is in the log");
      assert.ok(!JSON.stringify(await recordedEvents(server)).includes(secret), "a secret is in an event");
    }
  });

  test("a link works in the browser that opened it first, also when two present it at once", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const link = await createLink(server, organizationId, { token });
    const browsers = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const browser = new TestBrowser(server);
        return { browser, page: await browser.open("/ui/setup-link") };
      }),
    );
    const opened = await Promise.all(
      browsers.map(({ browser, page }) => browser.submit(page, { setup_code: link.code })),
    );
    assert.equal(opened.filter(isOpen).length, 1);
    assert.equal(opened.filter(isClosed).length, 3);
    const first = browsers[opened.findIndex(isOpen)]?.browser ?? assert.fail();
    // A stolen link is nothing without the cookie, and after an hour the cookie nothing without the link.
    assert.ok(isClosed(await present(new TestBrowser(server), link)));
    server.clock.now += hours(1);
    assert.ok(isClosed(await first.open("/ui/setup-link/tasks")));
    assert.ok(isOpen(await present(first, link)));
    server.clock.now += days(3);
    assert.ok(isClosed(await present(first, link)));
    assert.ok(isClosed(await present(new TestBrowser(server), { code: "dwl_nothing" })));
  });

  test("a link ends at once with what it depends on", async (t) => {
    const server = await start(t);
    const { organizationId } = await addOwnedOrganization(server, "Acme");
    const home = await addOwnedOrganization(server, "Partner");
    const roles = "service.internal_permission.v2.InternalPermissionService";
    const makeCreator = async (name: string) => {
      const isForeign = name === "homeless";
      const creator = await addServiceAccount(
        server,
        isForeign ? home.organizationId : organizationId,
        `creator-${name}`,
      );
      await appoint(server, creator, { organizationId }, ["ORG_OWNER"]);
      return creator;
    };
    const users = "service.user.v2.UserService";
    const ok = async (method: string, body: object): Promise<void> => {
      const { status, body: answer } = await server.connect(method, body);
      assert.equal(status, 200, JSON.stringify(answer));
    };
    const ends: Readonly<Record<string, (at: { id: string; userId: string }) => Promise<void>>> = {
      revoked: async ({ id }) => {
        const revoked = await server.rest("POST", `/v2/setup_links/${id}/revoke`, { body: {} });
        assert.equal(revoked.body.link.state, "SETUP_LINK_STATE_REVOKED");
      },
      narrowed: ({ userId }) =>
        ok(`${roles}/UpdateAdministrator`, { userId, resource: { organizationId }, roles: ["ORG_SETTINGS_MANAGER"] }),
      deactivated: ({ userId }) => ok(`${users}/DeactivateUser`, { userId }),
      tokenless: async ({ userId }) => {
        const filters = [{ userIdFilter: { id: userId } }];
        const { body } = await server.connect(`${users}/ListPersonalAccessTokens`, { filters });
        for (const { id: tokenId } of body.result) await ok(`${users}/RemovePersonalAccessToken`, { userId, tokenId });
      },
      deleted: ({ userId }) => ok(`${users}/DeleteUser`, { userId }),
      expired: async () => {
        server.clock.now += days(1);
      },
      homeless: () =>
        ok("service.org.v2.OrganizationService/DeactivateOrganization", { organizationId: home.organizationId }),
    };
    for (const [name, end] of Object.entries(ends)) {
      const creator = await makeCreator(name);
      const link = await createLink(server, organizationId, { token: creator.token, lifetimeDays: 1 });
      const opened = await openLink(server, link);
      assert.ok(await addsDomain(server, organizationId, opened, `before-${name}.example`), name);
      await end({ id: link.id, userId: creator.userId });
      assert.ok(!(await addsDomain(server, organizationId, opened, `after-${name}.example`)), name);
      assert.ok(isClosed(await opened.browser.open("/ui/setup-link/tasks")), name);
      assert.ok(isClosed(await present(opened.browser, link)), name);
    }
    const { id } = await createLink(server, organizationId);
    await ok("service.org.v2.OrganizationService/DeactivateOrganization", { organizationId });
    const { body } = await server.rest("POST", "/v2/setup_links/search", { body: { organizationId } });
    assert.ok(body.links.some((link: { id: string }) => link.id === id));
    const inactive = { organizationId, parts: ["SETUP_PART_DOMAIN"] };
    assert.equal(
      refusal(await server.rest("POST", "/v2/setup_links", { body: inactive })),
      "400 organization.not_active",
    );
  });

  test("a revocation deactivates the provider of the link that no administrator took over", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const provider = await startTestProvider(t, () => server.clock.now);
    const headers = { "x-service-orgid": organizationId };
    const stateOf = async (id: string) =>
      (await server.rest("GET", `/management/v1/idps/templates/${id}`, { token, headers })).body.idp;
    const takeOver = async (id: string): Promise<void> => {
      const { etag } = await stateOf(id);
      for (const move of ["_deactivate", "_reactivate"]) {
        const moved = await server.rest("POST", `/management/v1/idps/${id}/${move}`, {
          token,
          headers,
          body: { etag },
        });
        assert.equal(moved.status, 200, JSON.stringify(moved.body));
      }
    };
    const cases: readonly [
      name: string,
      before: "take over" | "change after that" | "finish" | "take over and finish" | undefined,
      state: string,
    ][] = [
      ["of the customer alone", undefined, "IDP_STATE_INACTIVE"],
      ["taken over", "take over", "IDP_STATE_ACTIVE"],
      ["taken over and changed by the customer", "change after that", "IDP_STATE_INACTIVE"],
      ["finished before", "finish", "IDP_STATE_INACTIVE"],
      ["taken over, and finished before", "take over and finish", "IDP_STATE_ACTIVE"],
    ];
    for (const [name, before, state] of cases) {
      const link = await createLink(server, organizationId, { token });
      const { browser, page } = await openLink(server, link);
      const saved = await browser.submit(page, { ...oidc(provider.issuer), provider_name: name }, { action: "/oidc" });
      const id =
        (await providersOf(server, organizationId)).find((each) => each.name === name)?.id ?? assert.fail(name);
      if (before !== undefined && before !== "finish") await takeOver(id);
      if (before === "change after that") {
        await browser.submit(
          saved,
          { ...oidc(provider.issuer), provider_name: name, client_id: "another" },
          { action: "/oidc" },
        );
      }
      if (before?.endsWith("finish") === true) await browser.submit(saved, {}, { action: "/finish" });
      assert.equal((await stateOf(id)).state, "IDP_STATE_ACTIVE", name);
      const revoked = await server.rest("POST", `/v2/setup_links/${link.id}/revoke`, { token, body: {} });
      assert.equal(revoked.status, 200, JSON.stringify(revoked.body));
      assert.equal((await stateOf(id)).state, state, name);
    }
  });

  test("a revocation and a change that began before it are done one after the other", async (t) => {
    const server = await start(t);
    const { organizationId } = await addOwnedOrganization(server, "Acme");
    for (let round = 0; round < 4; round++) {
      const link = await createLink(server, organizationId);
      const { browser, page } = await openLink(server, link);
      const domain = `race-${round}.example`;
      const [shown] = await Promise.all([
        browser.submit(page, { domain }, { action: "/domain" }),
        server.rest("POST", `/v2/setup_links/${link.id}/revoke`, { body: {} }),
      ]);
      const events = (await recordedEvents(server)).filter(
        ({ type, payload, aggregateId }) =>
          (type === "organization.domain.added" && payload["domain"] === domain) ||
          (type === "setup_link.revoked" && aggregateId === link.id),
      );
      // Whatever won, nothing of the link comes after its end.
      assert.equal(events.at(-1)?.type, "setup_link.revoked", shown.html);
      assert.ok(isClosed(await browser.open("/ui/setup-link/tasks")));
    }
    // A holder who finishes at the same time does not hide the revocation.
    const link = await createLink(server, organizationId);
    const { browser, page } = await openLink(server, link);
    await Promise.all([
      browser.submit(page, {}, { action: "/finish" }),
      server.rest("POST", `/v2/setup_links/${link.id}/revoke`, { body: {} }),
    ]);
    const { body } = await server.rest("POST", "/v2/setup_links/search", { body: { organizationId } });
    const ended = body.links.find(({ id }: { id: string }) => id === link.id);
    assert.equal(ended.state, "SETUP_LINK_STATE_REVOKED");
  });

  test("a link reaches its parts of its organization, and the provider that it added", async (t) => {
    const server = await start(t);
    const acme = await addOwnedOrganization(server, "Acme");
    const other = await addOwnedOrganization(server, "Other");
    const headers = { "x-service-orgid": acme.organizationId };
    const { body: present } = await server.rest("POST", "/management/v1/idps/generic_oidc", {
      body: { name: "Existing", issuer: "https://issuer.example", clientId: "one", clientSecret: "two" },
      headers,
    });
    // The form of a provider, sent with the session of a link for domains.
    const whole = await openLink(server, await createLink(server, acme.organizationId));
    const domains = await openLink(
      server,
      await createLink(server, acme.organizationId, { parts: ["SETUP_PART_DOMAIN"] }),
    );
    const saml = await openLink(
      server,
      await createLink(server, acme.organizationId, { parts: ["SETUP_PART_IDENTITY_PROVIDER"] }),
    );
    assert.doesNotMatch(whole.page.html, /Existing/);
    const send = async ({ browser, page }: typeof whole, path: string, fields: Readonly<Record<string, string>>) => {
      const [form] = page.forms;
      assert.ok(form);
      return browser.submit({ ...page, forms: [{ ...form, action: `/ui/setup-link/${path}` }] }, fields);
    };
    await send(domains, "oidc", oidc("https://issuer.example"));
    await send(saml, "domain", { domain: "foreign.example" });
    assert.deepEqual(await domainsOf(server, acme.organizationId), []);
    assert.equal((await providersOf(server, acme.organizationId)).length, 1);

    // Ids in the form count for nothing.
    const ids = { id: present.id, organization_id: other.organizationId, organizationId: other.organizationId };
    await send(whole, "domain", { domain: "acme.example", ...ids });
    await send(whole, "oidc", { ...oidc("https://issuer.example"), ...ids });
    await send(whole, "remove", ids);
    assert.deepEqual(await domainsOf(server, acme.organizationId), ["acme.example"]);
    assert.deepEqual(await domainsOf(server, other.organizationId), []);
    assert.deepEqual(
      (await providersOf(server, acme.organizationId)).map(({ name }) => name),
      ["Existing"],
    );
    assert.deepEqual(await providersOf(server, other.organizationId), []);

    // Two providers at once: one is added.
    const twice = await Promise.all(
      ["One", "Two"].map((provider_name) => send(whole, "oidc", { ...oidc("https://issuer.example"), provider_name })),
    );
    assert.equal(twice.length, 2);
    assert.equal((await providersOf(server, acme.organizationId)).length, 2);

    // Metadata as a file.
    const uploaded = await uploadSaml(server, saml.browser, { name: "Acme SAML", metadata: samlMetadata() });
    assert.equal(uploaded.headers.get("location"), "/ui/setup-link/tasks");
    const added = (await providersOf(server, acme.organizationId)).find(({ name }) => name === "Acme SAML");
    const shown = await saml.browser.open("/ui/setup-link/tasks");
    assert.ok(added && shown.html.includes(`${server.origin}/idps/${added.id}/saml/acs`), shown.html);
    await send(saml, "oidc", oidc("https://issuer.example"));
    await saml.browser.submit(shown, {}, { action: "/remove" });
    assert.equal((await providersOf(server, acme.organizationId)).length, 2);
  });

  test("links are created, listed and revoked by those who may appoint administrators of the organization", async (t) => {
    const server = await start(t);
    const acme = await addOwnedOrganization(server, "Acme");
    const other = await addOwnedOrganization(server, "Other");
    const manager = await addServiceAccount(server, acme.organizationId, "manager");
    await appoint(server, manager, { organizationId: acme.organizationId }, ["ORG_SETTINGS_MANAGER"]);
    const login = await addServiceAccount(server, acme.organizationId, "login");
    await appoint(server, login, { instance: true }, ["IAM_LOGIN_CLIENT"]);
    const { organizationId } = acme;
    const body = { organizationId, parts: ["SETUP_PART_DOMAIN"] };
    const create = (token: string | null) => server.rest("POST", "/v2/setup_links", { body, token });
    const { id } = await createLink(server, organizationId, { token: acme.token });
    assert.equal(refusal(await create(manager.token)), "403 permission.missing");
    assert.equal(refusal(await create(other.token)), "404 organization.not_found");
    // A sign-in application may appoint administrators for its users, and create no links (A14).
    assert.equal(refusal(await create(login.token)), "403 permission.missing");
    assert.equal((await create(null)).status, 401);
    const list = (token: string) => server.rest("POST", "/v2/setup_links/search", { body: { organizationId }, token });
    const listed = await list(acme.token);
    assert.deepEqual(
      listed.body.links.map((link: { id: string; state: string }) => [link.id, link.state]),
      [[id, "SETUP_LINK_STATE_UNUSED"]],
    );
    assert.equal(refusal(await list(other.token)), "404 organization.not_found");
    const revoke = (token: string) => server.rest("POST", `/v2/setup_links/${id}/revoke`, { body: {}, token });
    assert.equal(refusal(await revoke(other.token)), "404 setup_link.not_found");
    assert.equal(refusal(await revoke(manager.token)), "403 permission.missing");
    assert.match(refusal(await revoke(login.token)), /^40[34] /);
    assert.equal((await revoke(acme.token)).body.link.state, "SETUP_LINK_STATE_REVOKED");

    const statuses: number[] = [];
    while (statuses.length < 21) statuses.push((await create(server.ownerToken)).status);
    assert.deepEqual([statuses.indexOf(429), statuses.filter((status) => status === 201).length], [20, 20]);
  });
});
