import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { provenAttempt } from "./attempts.ts";
import { addStaff, bodyAt, createTrust, emailOf, isIn, linkingOptions, openOptions } from "./trusted.ts";

const missing = "403 permission.missing";
const untrusted = "403 identity_link.provider_not_trusted";

eachServer((start) => {
  test("a provider speaks only for those who configured it (A2)", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const mallory = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const { organizationId, owner, manager, clerk, plain, boss } = await addStaff(server, "acme");
    const others = await addStaff(server, "other");
    const { organizationId: elsewhere, plain: foreigner, owner: foreignOwner } = others;
    const asSub = (sub: string, email = `${sub}@provider.example`) => {
      for (const each of [provider, mallory]) each.user = { ...each.user, sub, email, email_verified: true };
    };
    const idps = "/idps/generic_oidc";

    await t.test("only callers who may write credentials may have accounts linked automatically (A2a)", async () => {
      const body = bodyAt(mallory, linkingOptions);
      const ask = (who: { token: string }, method: string, path: string, given: object) =>
        trust.manage(organizationId, who.token, method, path, given);
      assert.equal(await ask(manager, "POST", idps, body), missing);
      const byName = { ...openOptions, autoLinking: "AUTO_LINKING_OPTION_USERNAME" };
      assert.equal(await ask(manager, "POST", idps, bodyAt(mallory, byName)), missing);
      const own = await trust.addTo(organizationId, manager.token, bodyAt(mallory));
      assert.equal(await ask(manager, "PUT", `${idps}/${own}`, body), missing, "nor switch it on later");
      const ofOwner = await trust.addTo(organizationId, owner.token, bodyAt(provider, linkingOptions));
      assert.equal(
        await ask(manager, "PUT", `${idps}/${ofOwner}`, body),
        missing,
        "nor take over what another switched on",
      );
      assert.equal(
        await ask(manager, "PUT", `/idps/${ofOwner}`, { name: "Renamed" }),
        missing,
        "nor by the older methods",
      );
      assert.equal(
        await ask(manager, "PUT", `/idps/${ofOwner}/oidc_config`, { ...bodyAt(mallory), clientSecret: "x" }),
        missing,
      );
      const google = { ...bodyAt(mallory, linkingOptions), issuer: undefined };
      assert.equal(
        await ask(manager, "POST", `${idps}/${ofOwner}/_migrate`, { google }),
        missing,
        "nor by a migration",
      );
      for (const person of [owner, plain]) {
        asSub(`auto-${person.userId}`, emailOf(person));
        assert.ok(isIn(await trust.throughPages(organizationId, ofOwner, provider)), "the owner's own provider links");
      }
      asSub("auto-boss", emailOf(boss));
      const refused = await trust.throughPages(organizationId, ofOwner, provider);
      assert.ok(!isIn(refused), "never an administrator of more than the organization");
      assert.deepEqual(await trust.links(boss.userId), []);
    });

    await t.test("a settings manager's provider signs ordinary users in, and administrators never (A2a)", async () => {
      const idpId = await trust.addTo(organizationId, manager.token, bodyAt(mallory));
      for (const [person, isLinkable] of [
        [plain, true],
        [manager, true],
        [owner, false],
        [clerk, false],
        [boss, false],
      ] as const) {
        const sub = `m-${person.userId}`;
        assert.equal(await trust.link(person.userId, idpId, sub), isLinkable ? "200" : untrusted, person.loginName);
        if (!isLinkable) await trust.writeLink(person.userId, idpId, sub);
        asSub(sub);
        const page = await trust.throughPages(organizationId, idpId, mallory);
        assert.equal(isIn(page), isLinkable, `${person.loginName} ${page.html}`);
        if (!isLinkable) assert.match(page.alert ?? "", /has more rights than its administrators/);
        assert.equal(await trust.throughSession(person.userId, idpId, mallory), isLinkable ? "201" : untrusted);
      }
    });

    await t.test("a provider is no longer the owner's once another party changed it (A2)", async () => {
      const idpId = await trust.addTo(organizationId, owner.token, bodyAt(provider));
      assert.equal(await trust.link(owner.userId, idpId, "o"), "200");
      assert.equal(await trust.link(plain.userId, idpId, "p"), "200");
      asSub("o");
      const signIn = () => trust.throughSession(owner.userId, idpId, provider);
      assert.equal(await signIn(), "201");
      const renamed = { ...bodyAt(provider), name: "Renamed" };
      assert.equal(await trust.manage(organizationId, manager.token, "PUT", `${idps}/${idpId}`, renamed), "200");
      assert.equal(await signIn(), untrusted);
      const again = { ...renamed, name: "Again" };
      assert.equal(await trust.manage(organizationId, owner.token, "PUT", `${idps}/${idpId}`, again), "200");
      assert.equal(await signIn(), untrusted, "another name is no answer for the rest");
      for (const [who, expected] of [
        [manager, untrusted],
        [owner, "201"],
        [manager, "201"],
      ] as const) {
        await trust.takeOver(organizationId, who.token, idpId);
        assert.equal(await signIn(), expected, who.loginName);
      }
      asSub("p");
      assert.equal(await trust.throughSession(plain.userId, idpId, provider), "201");
    });

    await t.test(
      "an owner who activates a provider answers for the server that they saw, and for no other (A2)",
      async () => {
        const set = (who: typeof owner, idpId: string, state: string, etag = "") =>
          trust.manage(organizationId, who.token, "POST", `/idps/${idpId}/_${state}`, etag === "" ? {} : { etag });
        const idpId = await trust.addTo(organizationId, manager.token, bodyAt(provider));
        assert.equal(await set(manager, idpId, "deactivate"), "200");
        const seen = await trust.etagOf(organizationId, idpId);
        const changed = await trust.manage(organizationId, manager.token, "PUT", `${idps}/${idpId}`, bodyAt(mallory));
        assert.equal(changed, "200");
        assert.equal(await set(owner, idpId, "reactivate", seen), "400 identity_provider.changed");
        assert.equal(await set(owner, idpId, "reactivate"), "200", "published clients activate it");
        const ofManager = ["organization ORG_SETTINGS_MANAGER"];
        assert.deepEqual(await trust.answeredBy(idpId), ofManager, "and do not answer for what they did not see");
        assert.match(await trust.link(owner.userId, idpId, "o"), /^403/);
        assert.equal(await set(owner, idpId, "deactivate", seen), "400 identity_provider.changed");
        await trust.takeOver(organizationId, owner.token, idpId);
        assert.deepEqual(await trust.answeredBy(idpId), ["organization ORG_OWNER"]);
        assert.equal(await trust.link(owner.userId, idpId, "o"), "200", "what was seen counts");
      },
    );

    await t.test("another issuer in place of the former one signs no user in by their links (A2b)", async () => {
      const idpId = await trust.addTo(organizationId, owner.token, bodyAt(provider));
      for (const person of [plain, owner]) assert.equal(await trust.link(person.userId, idpId, person.userId), "200");
      await trust.writeLink(boss.userId, idpId, boss.userId);
      asSub(boss.userId);
      assert.equal(await trust.throughSession(boss.userId, idpId, provider), untrusted, "even unchanged");
      assert.ok(!isIn(await trust.throughPages(organizationId, idpId, provider)));
      asSub(plain.userId);
      assert.ok(isIn(await trust.throughPages(organizationId, idpId, provider)));
      const early = await provenAttempt(server, provider, idpId);

      const repoint = (to: typeof provider) =>
        trust.manage(organizationId, manager.token, "PUT", `${idps}/${idpId}`, bodyAt(to));
      const told = await trust.interrupted(idpId, provider, () => repoint(mallory));
      assert.equal(told["error"], "provider_unusable", "nor an attempt that is under way");
      const checks = { user: { userId: plain.userId }, idpIntent: early };
      const late = await server.rest("POST", "/v2/sessions", { body: { checks } });
      assert.equal(late.body.details[0].id, "identity_intent.provider_unusable", "nor one that succeeded before");
      for (const person of [plain, owner, boss]) {
        asSub(person.userId, emailOf(person));
        const page = await trust.throughPages(organizationId, idpId, mallory);
        assert.match(page.html, /This account is not known here/, person.loginName);
        assert.equal(
          await trust.throughSession(person.userId, idpId, mallory),
          "400 identity_intent.other_user",
          person.loginName,
        );
        assert.deepEqual(
          (await trust.links(person.userId)).filter((each) => each.idpId === idpId).map(({ suspended }) => suspended),
          [true],
        );
      }

      // The person proves the account again: signed in by other means, and at the provider.
      asSub(plain.userId);
      const { token } = await sessionOf(server, plain);
      assert.equal(await trust.link(plain.userId, idpId, plain.userId, token), "403 identity_link.unproven");
      const { idpIntentId, idpIntentToken } = await provenAttempt(server, mallory, idpId);
      const read = await server.rest("POST", `/v2/idp_intents/${idpIntentId}`, { body: { idpIntentToken }, token });
      assert.equal(read.body.userId, "", "the application learns of no user");
      assert.equal(await trust.link(plain.userId, idpId, plain.userId, token), "200");
      assert.equal(await trust.throughSession(plain.userId, idpId, mallory), "201");
      assert.equal(await repoint(provider), "200");
      asSub(owner.userId);
      assert.equal(await trust.throughSession(owner.userId, idpId, provider), untrusted, "the manager answers now");
      asSub(plain.userId);
      assert.equal(await trust.throughSession(plain.userId, idpId, provider), "201", "the former link is good again");
    });

    await t.test("nor a user of another organization, whatever link there is (A2)", async () => {
      const idpId = await trust.addTo(organizationId, owner.token, bodyAt(provider));
      await trust.writeLink(foreigner.userId, idpId, "foreign");
      asSub("foreign");
      assert.equal(await trust.throughSession(foreigner.userId, idpId, provider), untrusted);
      assert.ok(!isIn(await trust.throughPages(organizationId, idpId, provider)));
      assert.equal(await trust.link(foreigner.userId, idpId, "f2"), "404 identity_link.provider_not_found");
    });

    await t.test("nor a user who also administers another organization (A2)", async () => {
      const idpId = await trust.addTo(organizationId, owner.token, bodyAt(provider));
      assert.equal(await trust.link(plain.userId, idpId, "both"), "200");
      asSub("both");
      assert.equal(await trust.throughSession(plain.userId, idpId, provider), "201");
      await appoint(server, plain, { organizationId: elsewhere }, ["ORG_OWNER_VIEWER"]);
      assert.equal(await trust.throughSession(plain.userId, idpId, provider), untrusted);
      const removed = await server.connect(
        "service.internal_permission.v2.InternalPermissionService/DeleteAdministrator",
        { userId: plain.userId, resource: { organizationId: elsewhere } },
      );
      assert.equal(removed.status, 200, JSON.stringify(removed.body));
      assert.equal(await trust.throughSession(plain.userId, idpId, provider), "201");
    });

    await t.test("an administrator links no user who may do more (A2)", async () => {
      const idpId = await trust.addTo("", undefined, bodyAt(provider));
      assert.equal(await trust.link(plain.userId, idpId, "clerk-1", clerk.token), "200");
      for (const person of [owner, manager, boss]) {
        assert.equal(await trust.link(person.userId, idpId, "clerk-2", clerk.token), "403 user.administers_more");
      }
      assert.equal(await trust.link(boss.userId, idpId, "owner-1", owner.token), "403 user.administers_more");
      assert.equal(await trust.link(foreignOwner.userId, idpId, "owner-2", owner.token), "404 user.not_found");
    });

    await t.test(
      "administrators answer by their roles, whose permissions are weighed when they are used (A2)",
      async () => {
        const idpId = await trust.addTo(organizationId, owner.token, bodyAt(provider));
        const route = `/idps/generic_oidc/${idpId}`;
        const rename = async (token: string, name: string): Promise<void> => {
          const body = { ...bodyAt(provider), name };
          assert.equal(await trust.manage(organizationId, token, "PUT", route, body), "200");
        };
        assert.deepEqual(await trust.answeredBy(idpId), ["organization ORG_OWNER"]);
        await rename(owner.token, "once more");
        assert.deepEqual(await trust.answeredBy(idpId), ["organization ORG_OWNER"], "each once");
        await rename(manager.token, "by another");
        assert.deepEqual(await trust.answeredBy(idpId), [
          "organization ORG_OWNER",
          "organization ORG_SETTINGS_MANAGER",
        ]);
      },
    );

    await t.test("nor does the right to configure the instance's providers make an owner of it (A2)", async () => {
      const idpId = await trust.addTo("", undefined, bodyAt(provider, linkingOptions));
      // No role has the one without the other, but the rights are what is compared.
      await trust.answerWith(idpId, ["iam.idp.read", "iam.idp.write"]);
      await trust.writeLink(others.boss.userId, idpId, "b");
      await trust.writeLink(foreigner.userId, idpId, "f");
      asSub("b");
      assert.equal(await trust.throughSession(others.boss.userId, idpId, provider), untrusted);
      assert.ok(!isIn(await trust.throughPages("", idpId, provider)));
      asSub("f");
      assert.equal(await trust.throughSession(foreigner.userId, idpId, provider), "201");
      asSub("f-2", emailOf(foreigner));
      assert.ok(!isIn(await trust.throughPages("", idpId, provider)), "nor link anyone by itself");
    });

    await t.test("a provider of the instance signs in every user, its owners as well (A2, control)", async () => {
      const idpId = await trust.addTo("", undefined, bodyAt(provider, linkingOptions));
      for (const person of [foreigner, foreignOwner, others.boss]) {
        asSub(`i-${person.userId}`, emailOf(person));
        assert.ok(isIn(await trust.throughPages("", idpId, provider)), "by the address that the instance has proven");
        assert.ok(isIn(await trust.throughPages("", idpId, provider)), "by the link from now on");
        assert.equal(await trust.throughSession(person.userId, idpId, provider), "201");
      }
    });
  });
});
