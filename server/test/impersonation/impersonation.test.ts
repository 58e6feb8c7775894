import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { signedInBrowser } from "../console/support.ts";
import { inboxOf } from "../factor/support.ts";
import { exchangeGrant, mayExchange, typeOf } from "../oauth/token-exchange/support.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import {
  claimsOf,
  goOn,
  isQuestion,
  openRequest,
  redeemCode,
  startImpersonating,
  tokensAsUser,
  toldBy,
} from "./support.ts";

const apis = "openid urn:service:iam:org:project:id:service:aud";
const impersonators = ["IAM_OWNER_VIEWER", "IAM_END_USER_IMPERSONATOR"];

eachEngine((_open, engine) => {
  test("an administrator signs in to an application as a user: named, told, recorded, and never refreshed", async (t) => {
    const started = await startImpersonating(t, engine);
    const { server, adminOf } = started;
    const { client, user: ada } = server;
    await appoint(server, ada, { instance: true }, impersonators);
    const bob = await addPerson(server, { username: "bob" });
    server.clock.now += minutes(1);
    const admin = await adminOf();
    const reason = "Ticket 42: <b>prices</b> differ";

    const before = await openRequest(client, admin.browser);
    assert.ok(before.page.address.startsWith(client.redirectUri), "as themselves, without a question");
    const { id } = await admin.begin(bob.userId, { reason, lifetimeMinutes: 10 });
    const end = server.clock.now + minutes(10);
    const asked = await openRequest(client, admin.browser);
    assert.ok(isQuestion(asked.page), asked.page.html);
    assert.match(asked.page.html, /bob Example/);
    assert.match(asked.page.html, /Ticket 42: &lt;b&gt;prices&lt;\/b&gt; differ/);
    const silent = await openRequest(client, admin.browser, { prompt: "none" });
    assert.equal(new URL(silent.page.address).searchParams.get("error"), "interaction_required");

    server.clock.now += minutes(8);
    const code = (await goOn(admin.browser, asked)).get("code") ?? "";
    const { body: tokens } = await redeemCode(server, client, code, asked.codeVerifier);
    const actor = { iss: server.origin, sub: ada.userId };
    const idToken = claimsOf(tokens.id_token);
    assert.deepEqual([idToken["sub"], idToken["act"], idToken["sid"]], [bob.userId, actor, undefined]);
    assert.equal(tokens.refresh_token, undefined, "nothing can be refreshed");
    assert.ok(tokens.expires_in <= 120 && Number(idToken["exp"]) * 1000 <= end, JSON.stringify(idToken));
    const active = await server.introspect(tokens.access_token);
    assert.deepEqual([active["active"], active["sub"], active["act"]], [true, bob.userId, actor]);
    const { body: userinfo } = await server.rest("GET", "/oidc/v1/userinfo", { token: tokens.access_token });
    assert.equal(userinfo.sub, bob.userId);

    for (const [userId, role] of [
      [bob.userId, "impersonation"],
      [ada.userId, "impersonator"],
    ]) {
      const { body } = await server.rest("POST", "/admin/v1/events/_search", {
        body: { aggregateTypes: ["user"], aggregateId: userId, eventTypes: [`user.${role}.started`] },
      });
      const [event] = body.events;
      assert.equal(event.editor.userId, ada.userId);
      assert.deepEqual(
        [event.payload.reason, event.payload.userId, event.payload.actorId, event.payload.impersonationId],
        [reason, bob.userId, ada.userId, id],
      );
    }
    const [mail] = await inboxOf(server, "bob@mail.example");
    assert.match(mail.subject, /An administrator signed in as you/);
    const his = await signedInBrowser(server, bob);
    const activity = await his.open("/ui/account/activity");
    assert.match(activity.html, /An administrator signed in as you/);
    assert.match(activity.html, /Ticket 42: &lt;b&gt;prices&lt;\/b&gt; differ/);
    assert.doesNotMatch((await admin.browser.open("/ui/account/activity")).html, /signed in as you/);
    const { html } = await his.open("/ui/account/sessions");
    assert.equal(html.split('class="entry"').length, 2, "no session of the user but this one");

    server.clock.now = end;
    assert.equal((await server.introspect(tokens.access_token))["active"], false);
    assert.ok(!isQuestion((await openRequest(client, admin.browser)).page));
  });

  test("tokens of an impersonation change nothing of the user, appoint no administrator, and impersonate no further", async (t) => {
    const started = await startImpersonating(t, engine);
    const { server, adminOf } = started;
    const { user: ada, organizationId } = server;
    const grantTypes = [...mayExchange.grantTypes, "OIDC_GRANT_TYPE_REFRESH_TOKEN"];
    const client = await server.createClient({ grantTypes, trustedForApi: true });
    await appoint(server, ada, { instance: true }, ["IAM_OWNER", "IAM_ADMIN_IMPERSONATOR"]);
    const bob = await addPerson(server, { username: "bob" });
    await appoint(server, bob, { instance: true }, ["IAM_OWNER", "IAM_ADMIN_IMPERSONATOR"]);
    const carol = await addPerson(server, { username: "carol" });
    const { userId } = bob;
    const admin = await adminOf();
    await admin.begin(userId, { applicationId: client.applicationId });
    const scope = `${apis} offline_access`;
    const asBob = await tokensAsUser(started, admin, { client, scope });
    const own = await server.tokens({ user: bob, client, scope });

    const users = "service.user.v2.UserService";
    const { sessionId } = await sessionOf(server, bob);
    const forbidden: readonly (readonly [method: string, body: object])[] = [
      [`${users}/GetUserByID`, { userId }],
      [`${users}/SetEmail`, { userId, email: "new@mail.example", isVerified: true }],
      [`${users}/SetPhone`, { userId, phone: "+41791234567", isVerified: true }],
      [`${users}/UpdateHumanUser`, { userId, username: "robert" }],
      [`${users}/RegisterTOTP`, { userId }],
      [`${users}/RegisterPasskey`, { userId }],
      [`${users}/AddOTPEmail`, { userId }],
      [
        `${users}/SetPassword`,
        { userId, newPassword: { password: "another good password 17" }, currentPassword: bob.password },
      ],
      [`${users}/ListIDPLinks`, { userId }],
      ["service.session.v2.SessionService/DeleteSession", { sessionId }],
      ["service.auth.v1.AuthService/GetMyUser", {}],
      [
        "service.internal_permission.v2.InternalPermissionService/CreateAdministrator",
        { userId: carol.userId, resource: { organizationId }, roles: ["ORG_OWNER"] },
      ],
      [
        "service.impersonation.v2.ImpersonationService/CreateImpersonation",
        { userId: carol.userId, applicationId: client.applicationId, reason: "further" },
      ],
    ];
    for (const [method, body] of forbidden) {
      const { status } = await server.connect(method, body, { token: asBob["access_token"] ?? "" });
      assert.ok([401, 403].includes(status), `${method}: ${status}`);
    }
    for (const [method, body] of forbidden) {
      const { status, body: answer } = await server.connect(method, body, { token: own["access_token"] ?? "" });
      assert.equal(status, 200, `as himself: ${method}: ${JSON.stringify(answer)}`);
    }

    const exchange = (parameters: Readonly<Record<string, string>>) =>
      server.form("/oauth/v2/token", { grant_type: exchangeGrant, ...parameters }, client.basic);
    const bobs = asBob["access_token"] ?? "";
    const ofCarol = { subject_token: carol.userId, subject_token_type: typeOf.user_id, scope: "openid" };
    const further = { ...ofCarol, actor_token: bobs, actor_token_type: typeOf.access_token };
    const refused = await exchange(further);
    assert.equal(refused.body.error_description, "a token of an impersonation is not for further actors");
    assert.equal((await exchange({ ...further, actor_token: own["access_token"] ?? "" })).status, 200, "as himself");
    const narrowed = await exchange({ subject_token: bobs, subject_token_type: typeOf.access_token, scope: "openid" });
    assert.equal(narrowed.status, 200, JSON.stringify(narrowed.body));
    assert.deepEqual((await server.introspect(narrowed.body.access_token, client))["act"], {
      iss: server.origin,
      sub: ada.userId,
    });
    assert.doesNotMatch(asBob["scope"] ?? "offline_access", /offline_access/);
    const lasting = { subject_token_type: typeOf.access_token, scope: "openid offline_access" };
    assert.equal((await exchange({ ...lasting, subject_token: bobs })).body.error, "invalid_scope");
    assert.ok((await exchange({ ...lasting, subject_token: own["access_token"] ?? "" })).body.refresh_token, "his own");
    const { id } = await admin.begin(userId, { applicationId: client.applicationId });
    assert.equal(
      (await server.introspect(narrowed.body.access_token, client))["active"],
      false,
      "ends with the source",
    );
    await admin.end(id);
  });

  test("an impersonation ends with the setting, the right, either user, the session, the time, and by a button", async (t) => {
    const started = await startImpersonating(t, engine);
    const { server, adminOf } = started;
    const { client, user: ada, organizationId } = server;
    await appoint(server, ada, { instance: true }, impersonators);
    const bob = await addPerson(server, { username: "bob" });
    const users = "service.user.v2.UserService";
    const admins = "service.internal_permission.v2.InternalPermissionService";
    const call = async (method: string, body: object) => {
      const { status, body: answer } = await server.connect(method, body);
      assert.equal(status, 200, JSON.stringify(answer));
    };
    const appointed = { userId: ada.userId, resource: { instance: true } };
    const setUser = (what: "Deactivate" | "Reactivate", userId: string) => call(`${users}/${what}User`, { userId });
    const noop = async () => {};
    type Begun = { admin: Awaited<ReturnType<typeof adminOf>>; id: string; path: string };
    const ends: Record<string, { with: (begun: Begun) => Promise<unknown>; undo?: () => Promise<unknown> }> = {
      "by its administrator": { with: ({ admin, id }) => admin.end(id) },
      "by another administrator": {
        with: ({ id }) => call("service.impersonation.v2.ImpersonationService/EndImpersonation", { id }),
      },
      "on its page": {
        with: async ({ admin, path }) => {
          const page = await admin.browser.open(path);
          const done = await admin.browser.submit(page, { decision: "end" });
          assert.match(done.html, /This impersonation has ended/);
        },
      },
      "with the setting of the instance": {
        with: () => changeSettings(server, "security", { enableImpersonation: false }),
        undo: () => changeSettings(server, "security", { enableImpersonation: true }),
      },
      "with the refusal of the organization": {
        with: () => changeSettings(server, "login", { refuseImpersonation: true }, organizationId),
        undo: () => changeSettings(server, "login", { refuseImpersonation: false }, organizationId),
      },
      "with the role": {
        with: () => call(`${admins}/UpdateAdministrator`, { ...appointed, roles: ["IAM_OWNER_VIEWER"] }),
        undo: () => call(`${admins}/UpdateAdministrator`, { ...appointed, roles: impersonators }),
      },
      "when the user becomes an administrator": {
        with: () => appoint(server, bob, { organizationId }, ["ORG_OWNER"]),
        undo: () => call(`${admins}/DeleteAdministrator`, { userId: bob.userId, resource: { organizationId } }),
      },
      "when the user is deactivated": {
        with: () => setUser("Deactivate", bob.userId),
        undo: () => setUser("Reactivate", bob.userId),
      },
      "when its administrator is deactivated": {
        with: () => setUser("Deactivate", ada.userId),
        undo: () => setUser("Reactivate", ada.userId),
      },
      "when its administrator signs out": {
        with: async ({ admin }) => {
          const page = await admin.browser.open("/ui/logout");
          await admin.browser.submit(page);
        },
      },
      "with its time": { with: async () => (server.clock.now += minutes(15)) },
    };
    for (const [how, { with: end, undo = noop }] of Object.entries(ends)) {
      server.clock.now += minutes(1);
      const admin = await adminOf();
      const begun = { admin, ...(await admin.begin(bob.userId)) };
      const { access_token: token = "" } = await tokensAsUser(started, admin);
      const waiting = await openRequest(client, admin.browser);
      const asked = await openRequest(client, admin.browser);
      const code = (await goOn(admin.browser, asked)).get("code") ?? "";
      assert.equal((await server.introspect(token))["active"], true, how);
      await end(begun);
      assert.equal((await server.introspect(token))["active"], false, how);
      const late = await redeemCode(server, client, code, asked.codeVerifier);
      assert.equal(late.body.error, "invalid_grant", how);
      const next = await admin.browser.submit(waiting.page, { decision: "allow" });
      const isAnsweredAsUser = next.address.startsWith(client.redirectUri) && (await subjectOf(next.address, waiting));
      assert.notEqual(isAnsweredAsUser, bob.userId, how);
      assert.ok(!isQuestion((await openRequest(client, admin.browser)).page), how);
      assert.ok(!(await admin.browser.open(begun.path)).html.includes("bob Example"), how);
      await undo();
    }

    await t.test("and when the user gets more permissions than the administrator", async () => {
      const eve = await addPerson(server, { username: "eve" });
      await appoint(server, eve, { organizationId }, ["ORG_OWNER"]);
      await appoint(server, eve, { instance: true }, ["IAM_OWNER_VIEWER", "IAM_ADMIN_IMPERSONATOR"]);
      await appoint(server, bob, { organizationId }, ["ORG_OWNER"]);
      const admin = await adminOf(eve);
      await admin.begin(bob.userId);
      const { access_token: token = "" } = await tokensAsUser(started, admin);
      assert.equal((await server.introspect(token))["active"], true);
      await appoint(server, bob, { instance: true }, ["IAM_OWNER"]);
      assert.equal((await server.introspect(token))["active"], false);
    });

    await t.test("and when the project of the application is lent to the user's organization no longer", async () => {
      const home = await addOrganization(server, "Home");
      const elsewhere = await addOrganization(server, "Elsewhere Ltd");
      const guest = await addPerson(server, { username: "guest", organizationId: home });
      const projects = "service.project.v2.ProjectService";
      const project = { organizationId: elsewhere, name: "Travel" };
      const { projectId } = (await server.connect(`${projects}/CreateProject`, project)).body;
      const other = await server.createClient({}, projectId);
      const grant = { projectId, grantedOrganizationId: home };
      await call(`${projects}/CreateProjectGrant`, grant);
      const admin = await adminOf();
      await admin.begin(guest.userId, { applicationId: other.applicationId });
      const { access_token: token = "" } = await tokensAsUser(started, admin, { client: other, scope: "openid" });
      const asked = async () => (await server.rest("GET", "/oidc/v1/userinfo", { token })).status;
      assert.equal(await asked(), 200);
      await call(`${projects}/DeactivateProjectGrant`, grant);
      assert.equal(await asked(), 401);
    });

    async function subjectOf(address: string, { codeVerifier }: { readonly codeVerifier: string }) {
      const code = new URL(address).searchParams.get("code");
      if (code === null) return undefined;
      return claimsOf((await redeemCode(server, client, code, codeVerifier)).body.id_token)["sub"];
    }
  });

  test("an impersonator never goes beyond the role, the organization, and their own rights", async (t) => {
    const started = await startImpersonating(t, engine);
    const { server, adminOf } = started;
    const { client, user: ada, organizationId } = server;
    const second = await addOrganization(server, "Second");
    const people = {
      user: await addPerson(server, { username: "user" }),
      elsewhere: await addPerson(server, { username: "elsewhere", organizationId: second }),
      orgOwner: await addPerson(server, { username: "org-owner" }),
      owner: await addPerson(server, { username: "owner-too" }),
    };
    await appoint(server, people.orgOwner, { organizationId }, ["ORG_OWNER"]);
    await appoint(server, people.owner, { instance: true }, ["IAM_OWNER"]);
    const everyone = Object.keys(people) as (keyof typeof people)[];
    const organization = { organizationId };
    const instance = { instance: true };
    const cases: [string, string[], object, (keyof typeof people)[]][] = [
      ["viewer", ["IAM_OWNER_VIEWER"], instance, []],
      ["owner", ["IAM_OWNER"], instance, []],
      ["end-users", ["IAM_OWNER_VIEWER", "IAM_END_USER_IMPERSONATOR"], instance, ["user", "elsewhere"]],
      ["admins", ["IAM_OWNER_VIEWER", "IAM_ADMIN_IMPERSONATOR"], instance, ["user", "elsewhere"]],
      ["owning-admins", ["IAM_OWNER", "IAM_ADMIN_IMPERSONATOR"], instance, everyone],
      ["org-end-users", ["ORG_OWNER_VIEWER", "ORG_END_USER_IMPERSONATOR"], organization, ["user"]],
      ["org-admins", ["ORG_OWNER", "ORG_ADMIN_IMPERSONATOR"], organization, ["user", "orgOwner"]],
    ];
    for (const [username, roles, resource, allowed] of cases) {
      const person = await addPerson(server, { username });
      await appoint(server, person, resource, roles);
      const admin = await adminOf(person);
      for (const who of everyone) {
        const { told } = await admin.ask({ userId: people[who].userId });
        assert.equal(told === "ok", allowed.includes(who), `${username} as ${who}: ${told}`);
      }
    }

    await t.test("nor without a reason, for longer, as themselves, or at what is no application of users", async () => {
      await appoint(server, ada, instance, impersonators);
      const admin = await adminOf();
      const { userId } = people.user;
      const machine = { organizationId, username: "robot", machine: { name: "robot" } };
      const { id: robotId } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
      const found = await server.connect("service.application.v2.ApplicationService/ListApplications", {
        filters: [{ nameFilter: { name: "console", method: "TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE" } }],
      });
      const told = async (given: object) => (await admin.ask({ userId, ...given })).told;
      assert.equal(await told({ reason: "   " }), "field.required");
      assert.equal(await told({ reason: "\u200b\u2060\u3164" }), "field.invalid");
      assert.equal(await told({ reason: "Ticket \u202e17" }), "field.invalid");
      assert.equal(await told({ userId: ada.userId }), "impersonation.unsuitable");
      assert.equal(await told({ userId: robotId }), "user.not_human");
      assert.equal(await told({ userId: "1" }), "user.not_found");
      assert.equal(await told({ applicationId: "1" }), "application.not_found");
      assert.equal(await told({ applicationId: found.body.applications[0].applicationId }), "impersonation.unsuitable");
      assert.notEqual(await told({ lifetimeMinutes: 61 }), "ok");
      assert.notEqual(await told({ reason: "" }), "ok");
      assert.equal(await told({ lifetimeMinutes: 60 }), "ok");
      const byMachine = await server.connect("service.impersonation.v2.ImpersonationService/CreateImpersonation", {
        userId,
        applicationId: client.applicationId,
        reason: "a token without a browser",
      });
      assert.notEqual(toldBy(byMachine), "ok");
      await changeSettings(server, "security", { enableImpersonation: false });
      assert.equal(await told({}), "impersonation.not_allowed");
      await changeSettings(server, "security", { enableImpersonation: true });
    });

    await t.test("it is of no use in another browser, nor for a request that names another user", async () => {
      const admin = await adminOf();
      const { path } = await admin.begin(people.user.userId);
      const same = await adminOf();
      for (const browser of [new TestBrowser(server), same.browser]) {
        assert.match((await browser.open(path)).html, /This impersonation has ended/);
        assert.ok(!isQuestion((await openRequest(client, browser)).page));
      }
      const own = await server.tokens({ user: ada });
      const hinted = await openRequest(client, admin.browser, { id_token_hint: own["id_token"] ?? "" });
      assert.ok(hinted.page.address.startsWith(client.redirectUri), "as themselves");
      const other = await server.createClient();
      assert.ok(!isQuestion((await openRequest(other, admin.browser)).page), "at another application");
      server.clock.now += 1000;
      const again = await openRequest(client, admin.browser, { prompt: "login" });
      const refused = await goOn(admin.browser, again);
      assert.equal(refused.get("error"), "access_denied", "the sign-in is not new");
      const { page } = await openRequest(client, admin.browser);
      const ended = await admin.browser.submit(page, { decision: "end" });
      assert.match(ended.address, /^\/ui\/login\/continue\?/, "as themselves");
      assert.ok(!ended.html.includes("user Example"));
    });
  });
});
