import assert from "node:assert/strict";
import { test } from "node:test";
import { findBrowserAuthRequest, insertAuthRequest } from "../../src/domain/auth-request/index.ts";
import { findSession, listBrowserSessions } from "../../src/domain/session/index.ts";
import { signBrowserOut, terminateSession } from "../../src/domain/sign-out/index.ts";
import { startFamily } from "../../src/domain/token/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeFixtures, testTime } from "../support/operations/fixtures.ts";
import { signInBrowser } from "../support/sign-in/sign-in-browser.ts";

const parameters = {
  redirectUri: "https://app.example/cb",
  responseType: "code",
  responseMode: "query",
  scope: "openid",
  prompt: [],
  uiLocales: [],
} as const;

eachEngine((open) => {
  test("signing in gives the browser another secret, and takes its sessions and open requests along", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { database, owner } = fixtures;
    const { instanceId } = owner;
    const organization = await fixtures.organization("Acme");
    const first = await fixtures.user(organization);
    const second = await fixtures.user(organization);
    await database.touch(owner, async (tx) =>
      insertAuthRequest(tx, {
        authRequestId: "r1",
        clientId: "c",
        applicationId: "a",
        browserHash: "old",
        parameters,
        sessionId: undefined,
        expiresAt: testTime + 1000,
      }),
    );
    const sign = async (userId: string, from: string, to: string) => {
      const signedIn = await database.change(owner, (tx) =>
        signInBrowser(tx, fixtures, {
          userId,
          organizationId: organization.organizationId,
          browser: { from, to },
          authRequestId: "r1",
          expiresAt: testTime + 1000,
        }),
      );
      assert.ok(signedIn);
      return signedIn;
    };
    const one = await sign(first.userId, "old", "new");
    assert.deepEqual(await listBrowserSessions(database.read, instanceId, "old", testTime), []);
    assert.equal((await listBrowserSessions(database.read, instanceId, "new", testTime)).length, 1);
    const request = (browserHash: string) =>
      findBrowserAuthRequest(database.read, instanceId, { authRequestId: "r1", browserHash }, testTime);
    assert.equal(await request("old"), undefined);
    assert.equal((await request("new"))?.sessionId, one.sessionId);

    const byStranger = database.change(owner, (tx) =>
      signInBrowser(tx, fixtures, {
        userId: second.userId,
        organizationId: organization.organizationId,
        browser: { from: "old", to: "stranger" },
        authRequestId: "r1",
        expiresAt: testTime + 1000,
      }),
    );
    assert.equal(await byStranger, undefined, "with the old secret somebody else signs in to nothing");
    const again = await sign(first.userId, "old", "new");
    assert.equal(again.sessionId, one.sessionId, "but the same person may have sent the form twice");

    const two = await sign(second.userId, "new", "newer");
    assert.equal((await listBrowserSessions(database.read, instanceId, "newer", testTime)).length, 2);
    assert.equal((await request("newer"))?.sessionId, two.sessionId);
    const third = await sign(first.userId, "newer", "newest");
    assert.equal(third.sessionId, one.sessionId, "a user has one session in one browser");
    const renewed = await findSession(database.read, instanceId, one.sessionId);
    assert.equal(renewed?.details.sequence, 3);
  });

  test("ending a session revokes what was issued from it, once; others of the browser stay", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { database, owner } = fixtures;
    const organization = await fixtures.organization("Acme");
    const users = [await fixtures.user(organization), await fixtures.user(organization)];
    const sessions: string[] = [];
    for (const { userId } of users) {
      const signedIn = await database.change(owner, (tx) =>
        signInBrowser(tx, fixtures, {
          userId,
          organizationId: organization.organizationId,
          browser: { from: "b", to: "b" },
          authRequestId: undefined,
          expiresAt: testTime + 1000,
        }),
      );
      const { sessionId = "" } = signedIn ?? {};
      sessions.push(sessionId);
      await database.change(owner, async (tx) =>
        startFamily(
          tx,
          fixtures,
          {
            clientId: "c",
            applicationId: undefined,
            projectId: undefined,
            userId,
            sessionId,
            scope: "openid",
            audience: [],
            authTime: testTime,
            authenticationMethods: ["pwd"],
            nonce: undefined,
            actor: undefined,
            expiresAt: testTime + 1000,
          },
          {
            format: "opaque",
            scope: "openid",
            audience: [],
            accessTokenLifetime: 1000,
            refreshTokenIdleLifetime: undefined,
          },
        ),
      );
    }
    const [first = "", second = ""] = sessions;
    const ended = await database.change(owner, (tx) => terminateSession(tx, first));
    assert.equal(ended?.terminatedAt, testTime);
    assert.equal(await database.change(owner, (tx) => terminateSession(tx, first)), undefined);
    const live = await listBrowserSessions(database.read, owner.instanceId, "b", testTime);
    assert.deepEqual(
      live.map(({ sessionId }) => sessionId),
      [second],
    );
    const foreign = await database.touch(owner, (tx) =>
      signBrowserOut(tx, { browserHash: "other", sessionIds: [second] }),
    );
    assert.deepEqual(foreign, [], "a session is ended only from its own browser");
    const rest = await database.touch(owner, (tx) => signBrowserOut(tx, { browserHash: "b", sessionIds: [second] }));
    assert.deepEqual(
      rest.map(({ sessionId }) => sessionId),
      [second],
    );
  });
});
