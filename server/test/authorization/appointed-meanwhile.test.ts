import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { callUser } from "../factor/support.ts";
import { provenAttempt } from "../identity-provider/attempts.ts";
import { addStaff, bodyAt, createTrust } from "../identity-provider/trusted.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { eachTopology, race } from "../support/servers/nodes.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { lives, make } from "./support/prepared.ts";

const rounds = 8;

eachTopology((start) => {
  test("when a sign-in with a prepared account and an appointment coincide, no session remains on any node", async (t) => {
    const cluster = await start(t);
    const { first } = cluster;
    const acme = await addStaff(first, "acme");
    const provider = await startTestProvider(t, () => first.clock.now);
    const trust = createTrust(first);
    const idpId = await trust.addTo("", undefined, bodyAt(provider));
    const seen = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const author = round === 0 ? acme.boss : acme.clerk;
      const sub = `racer-${round}`;
      const { userId } = await make(first, acme, sub, acme.boss.token);
      assert.equal(await trust.link(userId, idpId, sub, author.token), "200");
      provider.user = { ...provider.user, sub, email: `${sub}@provider.example`, email_verified: true };
      const { idpIntentId, idpIntentToken } = await provenAttempt(first, provider, idpId);
      const checks = { user: { userId }, idpIntent: { idpIntentId, idpIntentToken } };
      const administrator = { userId, resource: { instance: true }, roles: ["IAM_OWNER"] };
      const answers = await race(2, cluster, (node, index) =>
        index === round % 2
          ? node.rest("POST", "/v2/sessions", { body: { checks } })
          : node.connect("service.internal_permission.v2.InternalPermissionService/CreateAdministrator", administrator),
      );
      const [made, appointed] = round % 2 === 0 ? answers : answers.toReversed();
      assert.ok(made && appointed);
      assert.equal(appointed.status, 200, JSON.stringify(appointed.body));
      seen.add(String(made.status));
      const isIn = made.status === 201 && (await lives(first, made.body.sessionToken));
      assert.equal(isIn, round === 0, JSON.stringify(made.body));
    }
    t.diagnostic(`sessions were ${[...seen].join(", ")}`);
  });
});

eachServer((start) => {
  test("an attempt at a provider ends in no session after an appointment on a node with a slower clock", async (t) => {
    const server = await start(t);
    const acme = await addStaff(server, "acme");
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idpId = await trust.addTo("", undefined, bodyAt(provider));
    for (const author of ["clerk", "boss"] as const) {
      const person = await make(server, acme, `slow-${author}`, acme.boss.token);
      const { userId } = person;
      assert.equal(await trust.link(userId, idpId, author, acme[author].token), "200");
      const { secret } = await callUser(server, "RegisterTOTP", { userId });
      await callUser(server, "VerifyTOTPRegistration", { userId, code: appCode(secret, server.clock.now) });
      server.clock.now += 60_000;
      provider.user = { ...provider.user, sub: author };
      const browser = new TestBrowser(server);
      const begin = await browser.open(`/ui/login?account=other&organization=${acme.organizationId}`);
      // The name first: what an administrator of the organization said counts only then.
      await browser.submit(begin, { login_name: person.loginName }, { action: "/ui/login" });
      const away = await browser.submit(begin, { provider: idpId }, { action: "/ui/login/provider" });
      const back = provider.signIn(away.address);
      const asked = await browser.open(back.pathname + back.search);
      server.clock.now -= 30_000;
      await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
      server.clock.now += 60_000;
      const next = await browser.submit(asked, { code: appCode(secret, server.clock.now) });
      const live = await server.app.domain.database.read.all(
        sql`select session_id from sessions where user_id = ${userId} and terminated_at is null`,
      );
      assert.equal(live.length, author === "boss" ? 1 : 0, next.address);
    }
  });
});
