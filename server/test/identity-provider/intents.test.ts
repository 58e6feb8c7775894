import assert from "node:assert/strict";
import { test } from "node:test";
import { hours, minutes } from "../../src/base/clock.ts";
import { sql } from "../../src/database/index.ts";
import { setProviderState } from "../support/identity-provider/identity-providers.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addPerson, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import { arrive, attempt, knowProvider, pages, provenAttempt, startAttempt } from "./attempts.ts";

eachServer((start) => {
  test("signing in at an identity provider, for an application with a login of its own", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const idpId = await knowProvider(server, provider);
    await changeSettings(server, "login", { allowExternalIdp: true, identityProviderIds: [idpId] });
    const ada = await addPerson(server, { username: "ada" });
    const retrieve = (intent: { idpIntentId: string; idpIntentToken: string }, options = {}) =>
      server.rest("POST", `/v2/idp_intents/${intent.idpIntentId}`, {
        body: { idpIntentToken: intent.idpIntentToken },
        ...options,
      });
    const link = (externalId: string, userId = ada.userId, options = {}) =>
      server.rest("POST", `/v2/users/${userId}/links`, {
        body: { idpLink: { idpId, userId: externalId, userName: "pat" } },
        ...options,
      });
    const sessionWith = (idpIntent: object, userId = ada.userId) =>
      server.rest("POST", "/v2/sessions", { body: { checks: { user: { userId }, idpIntent } } });
    const slug = (answer: { body: { details: { id: string }[] } }) => answer.body.details?.[0]?.id;

    await t.test("what the provider says about an unknown person makes a user", async () => {
      const told = await attempt(server, provider, idpId);
      assert.equal(told.status, 303);
      assert.deepEqual(Object.keys(told.parameters).toSorted(), ["id", "token", "x"]);
      const intent = { idpIntentId: told.parameters["id"] ?? "", idpIntentToken: told.parameters["token"] ?? "" };
      const { status, body } = await retrieve(intent);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.idpInformation.userId, "p-1");
      assert.equal(body.idpInformation.userName, "pat@provider.example");
      assert.equal(body.idpInformation.oauth.accessToken, "provider-access");
      assert.match(body.idpInformation.oauth.idToken, /^ey/);
      assert.equal(body.idpInformation.rawInformation.given_name, "Pat");
      assert.equal(body.userId, "");
      assert.deepEqual(body.addHumanUser.email, { email: "pat@provider.example", isVerified: true });
      const made = await server.rest("POST", "/v2/users/new", { body: body.createUser });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      // The same attempt signs in who was made for it.
      const opened = await sessionWith(intent, made.body.id);
      assert.equal(opened.status, 201, JSON.stringify(opened.body));
      const again = await attempt(server, provider, idpId);
      assert.equal(again.parameters["user"], made.body.id);
      await server.rest("DELETE", `/v2/users/${made.body.id}`);
    });

    await t.test("the attempt opens one session of the linked user (CVE-2025-46815)", async () => {
      assert.equal((await link("p-1")).status, 200);
      const intent = await provenAttempt(server, provider, idpId);
      const found = await retrieve(intent);
      assert.equal(found.body.userId, ada.userId);
      assert.equal(found.body.updateUser.human.email.email, "pat@provider.example");
      const bob = await addPerson(server, { username: "bob" });
      assert.equal(slug(await sessionWith(intent, bob.userId)), "identity_intent.other_user");
      const all = await Promise.all(Array.from({ length: 8 }, () => sessionWith(intent)));
      const opened = all.filter(({ status }) => status === 201);
      assert.equal(opened.length, 1, "one of many at once wins");
      for (const refused of all.filter(({ status }) => status !== 201)) {
        assert.equal(slug(refused), "identity_intent.invalid");
      }
      assert.equal(slug(await retrieve(intent)), "identity_intent.invalid", "nothing is told any more");
      const { sessionId, sessionToken } = opened[0]?.body ?? {};
      const { body } = await server.rest("GET", `/v2/sessions/${sessionId}`);
      assert.ok(body.session.factors.intent.verifiedAt);
      const mine = await server.rest("GET", "/auth/v1/users/me", { token: sessionToken });
      assert.equal(mine.status, 200, "he is signed in");
      const types = (await recordedEvents(server)).map(({ type }) => type);
      for (const type of ["started", "succeeded", "consumed"]) assert.ok(types.includes(`idpintent.${type}`), type);
      const payloads = JSON.stringify((await recordedEvents(server)).map(({ payload }) => payload));
      for (const secret of ["provider-access", "provider-refresh", intent.idpIntentToken]) {
        assert.ok(!payloads.includes(secret), "no secret is in an event");
      }
    });

    await t.test("a link that was removed meanwhile signs no user in (CVE-2026-92358)", async () => {
      const intent = await provenAttempt(server, provider, idpId);
      await server.rest("DELETE", `/v2/users/${ada.userId}/links/${idpId}/p-1`);
      assert.equal(slug(await sessionWith(intent)), "identity_intent.other_user");
      assert.equal((await retrieve(intent)).body.userId, "");
      assert.equal((await link("p-1")).status, 200);
    });

    await t.test("a token that is not exactly the one given out is refused alike (CVE-2026-105208)", async () => {
      const intent = await provenAttempt(server, provider, idpId);
      const { idpIntentToken: token, idpIntentId } = intent;
      const other = await provenAttempt(server, provider, idpId);
      const last = token.at(-1) === "A" ? "B" : "A";
      for (const wrong of [
        token.slice(0, -1),
        token.slice(0, -1) + last,
        token.toUpperCase(),
        `${token}A`,
        other.idpIntentToken,
        "x",
        server.ownerToken,
      ]) {
        assert.equal(slug(await retrieve({ idpIntentId, idpIntentToken: wrong })), "identity_intent.invalid");
        assert.equal(slug(await sessionWith({ idpIntentId, idpIntentToken: wrong })), "identity_intent.invalid");
      }
      assert.equal((await retrieve(intent)).status, 200);
      assert.equal((await retrieve(intent, { token: null })).status, 401);
      server.clock.now += minutes(60) + 1;
      assert.equal(slug(await retrieve(intent)), "identity_intent.invalid", "an hour later");
      assert.equal(slug(await sessionWith(other)), "identity_intent.invalid", "an hour later");
    });

    await t.test("a state comes back once, in time, and is ours", async () => {
      const back = provider.signIn(await startAttempt(server, idpId));
      const altered = new URL(back);
      altered.searchParams.set("state", `${back.searchParams.get("state")}x`);
      assert.equal((await arrive(altered)).status, 400);
      const twice = new URL(back);
      twice.searchParams.append("state", "y");
      assert.equal((await arrive(twice)).status, 400);
      assert.equal((await arrive(back)).page, "https://login.example/good");
      const second = await arrive(back);
      assert.deepEqual([second.status, second.page], [400, ""]);
      const late = provider.signIn(await startAttempt(server, idpId));
      server.clock.now += minutes(30) + 1;
      assert.equal((await arrive(late)).status, 400);
      for (const query of ["", "?code=x", "?state=x", "?code=x&state=x", "?error=x&state=x"]) {
        assert.equal((await arrive(`${server.origin}/idps/callback${query}`)).status, 400, query);
      }
    });

    await t.test("users link with themselves what they proved, once (CVE-2026-105207)", async () => {
      const bea = await addPerson(server, { username: "bea" });
      const { token } = await sessionOf(server, bea);
      provider.user = { ...provider.user, sub: "p-2" };
      const intent = await provenAttempt(server, provider, idpId);
      const own = (externalId: string) => link(externalId, bea.userId, { token });
      assert.equal(slug(await own("p-2")), "identity_link.unproven", "the token was not shown yet");
      assert.equal((await retrieve(intent, { token })).status, 200);
      assert.equal(slug(await own("victim")), "identity_link.unproven");
      assert.equal((await own("p-2")).status, 200);
      await server.rest("DELETE", `/v2/users/${bea.userId}/links/${idpId}/p-2`, { token });
      assert.equal(slug(await own("p-2")), "identity_link.unproven", "one proof, one link");
      provider.user = { ...provider.user, sub: "p-1" };
    });

    await t.test(
      "a deactivated or removed provider is refused in every phase (CVE-2025-64717, CVE-2026-3009)",
      async () => {
        const other = await knowProvider(server, provider);
        await changeSettings(server, "login", { identityProviderIds: [idpId, other] });
        const back = provider.signIn(await startAttempt(server, other));
        const intent = await provenAttempt(server, provider, other);
        await server.rest("POST", `/v2/users/${ada.userId}/links`, {
          body: { idpLink: { idpId: other, userId: "p-1", userName: "pat" } },
        });
        await setProviderState(server, other, "inactive");
        const started = await server.rest("POST", "/v2/idp_intents", { body: { idpId: other, urls: pages } });
        assert.equal(slug(started), "identity_intent.provider_unusable");
        assert.equal((await arrive(back)).parameters["error"], "provider_unusable");
        assert.equal(slug(await retrieve(intent)), "identity_intent.provider_unusable");
        assert.equal(slug(await sessionWith(intent)), "identity_intent.provider_unusable");
        await setProviderState(server, other, "active");
        assert.equal((await arrive(back)).status, 400, "what was refused does not come back");
        assert.equal((await sessionWith(intent)).status, 201);
      },
    );

    await t.test("callers who may not write sessions send browsers to pages of the instance only", async () => {
      const { token } = await sessionOf(server, await addPerson(server, { username: "mallory" }));
      const begin = (urls: object, options = {}) =>
        server.rest("POST", "/v2/idp_intents", { body: { idpId, urls }, ...options });
      assert.equal(slug(await begin(pages, { token })), "identity_intent.url_foreign");
      const own = { successUrl: `${server.origin}/good`, failureUrl: `${server.origin}/bad` };
      assert.equal((await begin(own, { token })).status, 200);
      assert.equal((await begin({ ...own, failureUrl: pages.failureUrl }, { token })).status, 403);
      for (const url of ["javascript:alert(1)", "/relative", "https://user:x@login.example/", "data:text/html,x"]) {
        assert.equal(slug(await begin({ ...pages, successUrl: url })), "identity_intent.url_invalid", url);
      }
      assert.equal((await begin(own, { token: null })).status, 401);
      const ldap = { idpId, ldap: { username: "x", password: "y" } };
      assert.equal(
        slug(await server.rest("POST", "/v2/idp_intents", { body: ldap })),
        "identity_intent.credentials_unsupported",
      );
      assert.equal((await server.rest("POST", "/v2/idp_intents", { body: { idpId } })).status, 400);
      assert.equal(
        slug(await server.rest("POST", "/v2/idp_intents", { body: { idpId: "1", urls: pages } })),
        "identity_intent.provider_not_found",
      );
    });

    await t.test("a user without a link cannot be signed in, and what expired goes", async () => {
      await server.rest("DELETE", `/v2/users/${ada.userId}`);
      assert.equal((await attempt(server, provider, idpId)).parameters["user"], undefined);
      server.clock.now += hours(3);
      await server.app.jobs.tick();
      const { read } = server.app.domain.database;
      assert.deepEqual(await read.all(sql`select intent_id as "id" from identity_intents`), []);
    });
  });
});
