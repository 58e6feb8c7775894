import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { sql } from "../../src/database/index.ts";
import { signedInBrowser } from "../console/support.ts";
import { eachEngine, onPostgres } from "../support/databases/databases.ts";
import { beginOutside } from "../support/databases/outside-transaction.ts";
import type { TestClient } from "../support/oidc/oidc.ts";
import { addOrganization, addPerson, appoint } from "../support/people/people.ts";
import { goOn, isQuestion, openRequest, redeemCode, startImpersonating, tokensAsUser } from "./support.ts";

const impersonators = ["IAM_OWNER_VIEWER", "IAM_END_USER_IMPERSONATOR"];

eachEngine((_open, engine) => {
  test("an impersonation lives only as long as the user could sign in to the application", async (t) => {
    const started = await startImpersonating(t, engine);
    const { server, adminOf } = started;
    const { user: ada, organizationId } = server;
    await appoint(server, ada, { instance: true }, impersonators);
    const bob = await addPerson(server, { username: "bob" });
    const { userId } = bob;
    const call = async (method: string, body: object) => {
      const { status, body: answer } = await server.connect(`service.${method}`, body);
      assert.equal(status, 200, `${method}: ${JSON.stringify(answer)}`);
      return answer;
    };
    const projects = "project.v2.ProjectService";
    const applications = "application.v2.ApplicationService";
    const authorizations = "authorization.v2.AuthorizationService";
    const make = async (owner: string, name: string, demands: object = {}) => {
      const project = { organizationId: owner, name, ...demands };
      const { projectId } = await call(`${projects}/CreateProject`, project);
      const client = await server.createClient({}, projectId);
      return { projectId, client, applicationId: client.applicationId };
    };
    const own = await make(organizationId, "Own");
    const withRole = await make(organizationId, "With role", { authorizationRequired: true });
    for (const roleKey of ["guest", "host"]) {
      const role = { projectId: withRole.projectId, roleKey, displayName: roleKey };
      await call(`${projects}/AddProjectRole`, role);
    }
    const assigned = { userId, projectId: withRole.projectId, organizationId, roleKeys: ["guest"] };
    const { id: assignment } = await call(`${authorizations}/CreateAuthorization`, assigned);
    const elsewhere = await addOrganization(server, "Elsewhere Ltd");
    const lent = await make(elsewhere, "Lent", { projectAccessRequired: true });
    const consented = await make(elsewhere, "Consented");
    const grantOf = ({ projectId }: { projectId: string }) => ({ projectId, grantedOrganizationId: organizationId });
    for (const each of [lent, consented]) await call(`${projects}/CreateProjectGrant`, grantOf(each));
    // What the user let it do before it was lent to their organization lets in the user alone.
    const { database, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    const unit = { instanceId, requestId: "consent", now: server.clock.now, language: "en" } as const;
    await database.touch(unit, async (tx) => {
      await tx.run(sql`insert into consents (instance_id, user_id, client_id, scope, author, sequence, created_at, changed_at)
        values (${instanceId}, ${userId}, ${consented.client.clientId}, 'openid profile', '', 1, ${tx.now}, ${tx.now})`);
    });

    interface End {
      readonly at: { readonly client: TestClient };
      readonly with: () => Promise<unknown>;
      readonly undo?: () => Promise<unknown>;
      /** What an impersonation that was only held up does once that is over. */
      readonly isFinal?: true;
      /** The user can still sign in, with a consent: the question remains, and its answer is refused. */
      readonly isQuestionLeft?: true;
    }
    const ends: Record<string, End> = {
      "their role assignment is deactivated": {
        at: withRole,
        with: () => call(`${authorizations}/DeactivateAuthorization`, { id: assignment }),
        undo: () => call(`${authorizations}/ActivateAuthorization`, { id: assignment }),
      },
      "they lose their last role": {
        at: withRole,
        with: () => call(`${projects}/RemoveProjectRole`, { projectId: withRole.projectId, roleKey: "guest" }),
        undo: () => call(`${authorizations}/UpdateAuthorization`, { id: assignment, roleKeys: ["host"] }),
      },
      "the project is no longer lent to their organization": {
        at: lent,
        with: () => call(`${projects}/DeactivateProjectGrant`, grantOf(lent)),
        undo: () => call(`${projects}/ActivateProjectGrant`, grantOf(lent)),
      },
      "it is no longer lent, and they consented themselves": {
        at: consented,
        with: () => call(`${projects}/DeactivateProjectGrant`, grantOf(consented)),
        undo: () => call(`${projects}/ActivateProjectGrant`, grantOf(consented)),
        isQuestionLeft: true,
      },
      "the application is deactivated": {
        at: own,
        with: () =>
          call(`${applications}/DeactivateApplication`, { projectId: own.projectId, applicationId: own.applicationId }),
        undo: () =>
          call(`${applications}/ReactivateApplication`, { projectId: own.projectId, applicationId: own.applicationId }),
      },
      "the project is deactivated": {
        at: own,
        with: () => call(`${projects}/DeactivateProject`, { projectId: own.projectId }),
        undo: () => call(`${projects}/ActivateProject`, { projectId: own.projectId }),
      },
      "they take the application's access away": {
        at: own,
        with: async () => {
          const his = await signedInBrowser(server, bob);
          const page = await his.open("/ui/account/applications");
          const done = await his.submit(page, { client_id: own.client.clientId }, { action: "applications" });
          assert.match(done.html, /no longer has access/);
        },
        isFinal: true,
      },
    };
    const admin = await adminOf();
    const userinfo = async (token: string) => (await server.rest("GET", "/oidc/v1/userinfo", { token })).status;
    const asBob = async (client: TestClient) =>
      (await tokensAsUser(started, admin, { client, scope: "openid profile" }))["access_token"] ?? "";
    await admin.begin(userId, { lifetimeMinutes: 60 });
    const untouched = await asBob(server.client);
    for (const [when, { at, with: end, undo, isFinal, isQuestionLeft }] of Object.entries(ends)) {
      const { client } = at;
      server.clock.now += minutes(1);
      const { path, id } = await admin.begin(userId, { applicationId: client.applicationId });
      const token = await asBob(client);
      const asked = await openRequest(client, admin.browser);
      const code = (await goOn(admin.browser, asked)).get("code") ?? "";
      const waiting = await openRequest(client, admin.browser);
      assert.equal(await userinfo(token), 200, when);
      const isShown = async () => (await admin.browser.open(path)).html.includes("bob Example");
      assert.ok(await isShown(), when);
      await end();
      assert.equal(await userinfo(token), 401, `token: ${when}`);
      const late = await redeemCode(server, client, code, asked.codeVerifier);
      assert.ok(["invalid_grant", "invalid_client"].includes(late.body.error), `${when}: ${JSON.stringify(late.body)}`);
      assert.equal(await isShown(), isQuestionLeft === true, `page: ${when}`);
      if (isQuestionLeft) {
        assert.equal((await goOn(admin.browser, waiting)).get("error"), "access_denied", when);
      } else {
        const next = await admin.browser.submit(waiting.page, { decision: "allow" });
        assert.ok(!new URL(next.address, server.origin).searchParams.has("code"), `${when}: ${next.address}`);
        assert.ok(!isQuestion((await openRequest(client, admin.browser)).page), when);
      }
      await undo?.();
      assert.equal(await isShown(), isFinal === undefined, `afterwards: ${when}`);
      assert.equal((await admin.end(id)).status, 200);
      if (!isFinal) continue;
      for (const type of ["user.impersonation.ended", "user.impersonator.ended"]) {
        const events = await server.rest("POST", "/admin/v1/events/_search", { body: { eventTypes: [type] } });
        const editors = events.body.events
          .filter((event: { payload: { impersonationId: string } }) => event.payload.impersonationId === id)
          .map((event: { editor: { userId: string } }) => event.editor.userId);
        assert.deepEqual(editors, [userId], type);
      }
    }
    assert.equal(await userinfo(untouched), 200, "at an application where nothing ended");
  });
});

onPostgres(() => {
  test("of two impersonations that begin at once in a browser, the later one ends the other", async (t) => {
    const { server, adminOf } = await startImpersonating(t, "postgres");
    const { user: ada } = server;
    const { database } = server.app.domain;
    await appoint(server, ada, { instance: true }, impersonators);
    const people = [await addPerson(server, { username: "bob" }), await addPerson(server, { username: "carol" })];
    const admin = await adminOf();
    // Both have looked for former ones, unless they took turns, and wait for the row of their administrator.
    const outside = await beginOutside(t, database);
    await outside.run("select 1 from users where user_id = $1 for update", [ada.userId]);
    const asked = people.map(({ userId }) => admin.ask({ userId }));
    await outside.untilWaiting(2);
    await outside.commit();
    const begun = await Promise.all(asked);
    assert.deepEqual(
      begun.map(({ told }) => told),
      ["ok", "ok"],
    );
    const open = await database.read.all<{ id: string }>(
      sql`select impersonation_id as "id" from impersonations where ended_at is null`,
    );
    assert.equal(open.length, 1);
    const [former] = begun.filter(({ id }) => id !== open[0]?.id);
    const events = await database.read.all<{ payload: string }>(
      sql`select payload from events where type = 'user.impersonation.ended'`,
    );
    assert.deepEqual(
      events.map(({ payload }) => JSON.parse(payload).impersonationId),
      [former?.id],
    );
    assert.match((await admin.browser.open(former?.path ?? "")).html, /This impersonation has ended/);
  });
});
