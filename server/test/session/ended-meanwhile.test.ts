import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { endAccessOfUser } from "../../src/domain/sign-out/index.ts";
import { addApp } from "../factor/support.ts";
import { provenAttempt } from "../identity-provider/attempts.ts";
import { bodyAt, createTrust } from "../identity-provider/trusted.ts";
import { enter } from "../login/support/sign-in.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { startTestProvider, type TestProvider } from "../support/identity-provider/test-provider.ts";
import { testCall } from "../support/operations/call.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { type ServerNode, startCluster } from "../support/servers/nodes.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Going {
  readonly node: ServerNode;
  readonly person: Person;
  readonly provider: TestProvider;
  readonly idp: string;
}

/** The last step of a sign-in, prepared; returns where it leads, or the status of an answer. */
const lastSteps: Readonly<Record<string, (going: Going) => Promise<() => Promise<string | number>>>> = {
  "a provider on the pages": async ({ node, person, provider, idp }) => {
    const browser = new TestBrowser(node);
    const first = await browser.open("/ui/login?account=other");
    provider.user = { sub: person.userId, email: "x@provider.example", email_verified: true };
    const away = await browser.submit(first, { provider: idp }, { action: "/ui/login/provider" });
    const back = provider.signIn(away.address);
    return async () => {
      const page = await browser.open(back.pathname + back.search);
      assert.ok(page.status < 500, page.html);
      return page.address;
    };
  },
  "a second factor": async ({ node, person }) => {
    const secret = await addApp(node, person, (made) => appCode(made, node.clock.now));
    const browser = new TestBrowser(node);
    const page = await enter({ browser, page: await browser.open("/ui/login?account=other") }, person);
    return async () => {
      const next = await browser.submit(page, { code: appCode(secret, node.clock.now) });
      assert.ok(next.status < 500, next.html);
      return next.address;
    };
  },
  "a provider by the API": async ({ node, person, provider, idp }) => {
    provider.user = { sub: person.userId, email: "x@provider.example", email_verified: true };
    const { idpIntentId, idpIntentToken } = await provenAttempt(node, provider, idp);
    const checks = { user: { userId: person.userId }, idpIntent: { idpIntentId, idpIntentToken } };
    return async () => (await node.rest("POST", "/v2/sessions", { body: { checks } })).status;
  },
};

// On SQLite units of work come one after the other.
onPostgres(() => {
  test("a sign-in that is about to write its session on another node sees that they were ended", async (t) => {
    const { first, other: node } = await startCluster(t, "postgres", 2);
    const provider = await startTestProvider(t, () => first.clock.now);
    const trust = createTrust(first);
    const idp = await trust.addTo("", undefined, bodyAt(provider));
    const { database, findInstanceByHost } = first.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    for (const [index, [name, prepare]] of Object.entries(lastSteps).entries()) {
      for (const isEnded of [true, false]) {
        await t.test(`${name}, ${isEnded ? "ended" : "left alone"}`, async () => {
          const person = await addPerson(first, { username: `user-${index}-${isEnded}` });
          const { userId } = person;
          assert.equal(await trust.link(userId, idp, userId), "200");
          const finish = await prepare({ node, person, provider, idp });
          const gate = Promise.withResolvers<void>();
          const held = Promise.withResolvers<void>();
          const closing = database.touch(testCall({ instanceId, now: first.clock.now }), async (tx) => {
            // As each operation that ends the sessions of a user does.
            await tx.all(
              sql`select user_id from users where instance_id = ${instanceId} and user_id = ${userId} for update`,
            );
            held.resolve();
            await gate.promise;
            if (isEnded) await endAccessOfUser(tx, userId);
          });
          await held.promise;
          const finished = finish();
          await Promise.race([finished, wait(500)]);
          gate.resolve();
          await closing;
          const end = await finished;
          const live = await database.read.all(
            sql`select session_id from sessions where user_id = ${userId} and terminated_at is null`,
          );
          assert.equal(live.length, isEnded ? 0 : 1, String(end));
          if (typeof end === "number") assert.equal(end, isEnded ? 400 : 201);
          else assert.equal(end.startsWith("/ui/login/signed-in"), !isEnded, end);
        });
      }
    }
  });
});
