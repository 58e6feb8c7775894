import assert from "node:assert/strict";
import { test } from "node:test";
import { hours, minutes, seconds } from "../../../src/base/clock.ts";
import { message, result, startTestDirectory } from "../../support/identity-provider/test-directory.ts";
import { setUpOidc } from "../../support/oidc/oidc.ts";
import { addServiceAccount } from "../../support/people/owners.ts";
import { addPerson, appoint } from "../../support/people/people.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import { atHome, ofStranger, ofUser, type Said } from "../../support/sign-in/said-users.ts";
import { addDirectory, entry, passwordOf, prove, slug } from "./directories.ts";

const throttled = "429 password.throttled";
const wrong = "400 sign_in.wrong_credentials";

eachServer((start) => {
  test("guesses at a directory through a sign-in application count for whom it names", async (t) => {
    const server = await start(t, { config: { trustedProxies: ["127.0.0.0/8"] } });
    const { loginToken, user } = await setUpOidc(server);
    const directory = await startTestDirectory(t);
    directory.entries = [entry("vera"), entry("other")];
    const idpId = await addDirectory(server, directory);
    const send = (password: string, userAgent: Said | undefined, { token = loginToken, from = "192.0.2.80" } = {}) =>
      server.rest("POST", "/v2/idp_intents", {
        ...(token !== "" && { token }),
        headers: { "x-forwarded-for": from },
        body: { idpId, ldap: { username: "vera", password }, ...(userAgent && { userAgent }) },
      });
    /** Enters a password at the application, which has one server with one address. */
    const enter = async (password: string, said?: Said, of?: Parameters<typeof send>[2]) =>
      slug(await send(password, said, of));
    const right = passwordOf("vera");
    /** Guesses until no guess is evaluated; returns how many were. */
    const guesses = async (said?: Said, of?: Parameters<typeof send>[2]): Promise<number> => {
      for (let count = 0; count < 40; count++) if ((await enter("guess", said, of)) !== wrong) return count;
      return Number.POSITIVE_INFINITY;
    };

    for (const every of [10, 30]) {
      await t.test(`one stranger who guesses every ${every} seconds keeps no other user out`, async () => {
        server.clock.now += hours(3);
        for (let second = 1; second <= 1200; second++) {
          server.clock.now += seconds(1);
          if (second % every === 0) await enter("guess", ofStranger);
          if (second % 97 === 96) assert.equal(await enter(right, ofUser), "200", `second ${second}`);
        }
      });
    }

    await t.test("an address that it names has half of what all sources have, in any form", async () => {
      server.clock.now += hours(3);
      assert.equal(await guesses(ofStranger), 10);
      assert.equal(await enter(right, ofStranger), throttled);
      assert.equal(await enter(right, { ip: `::ffff:${ofStranger.ip}` }), throttled);
      assert.equal(await enter("guess", undefined, { token: "", from: "203.0.113.9" }), throttled, "elsewhere as well");
      assert.equal(await enter(right, ofUser), "200");
    });

    await t.test("all sources together are bounded, whatever it names", async () => {
      server.clock.now += hours(3);
      const answers: string[] = [];
      for (let host = 1; host <= 30; host++) answers.push(await enter("guess", { ip: `203.0.113.${host}` }));
      assert.equal(answers.filter((each) => each === wrong).length, 20);
      assert.equal(await enter(right, ofUser), throttled);
    });

    await t.test("without an address all of its guesses share half, and leave the other to others", async () => {
      server.clock.now += hours(3);
      assert.equal(await guesses({ ip: "none of an address" }), 10);
      assert.equal(await guesses(undefined, { from: "192.0.2.81" }), 0, "through another server of it");
      assert.equal(await enter(right, ofUser), "200");
      assert.equal(await enter(right, undefined, { token: "", from: "198.51.100.8" }), "200");
    });

    await t.test("nothing but a sign-in application names a source or a browser", async () => {
      server.clock.now += hours(3);
      const person = await addPerson(server, { username: "mallory" });
      const { body } = await server.rest("POST", "/v2/sessions", {
        body: {
          checks: { user: { userId: person.userId }, password: { password: person.password } },
          userAgent: atHome,
        },
      });
      for (const token of ["", body.sessionToken as string]) {
        server.clock.now += hours(3);
        const answers: string[] = [];
        for (let host = 1; host <= 15; host++) {
          answers.push(await enter("guess", { ip: `203.0.113.${host}`, fingerprintId: `${host}` }, { token }));
        }
        assert.equal(answers.filter((each) => each === wrong).length, 10);
        assert.equal(await enter(right, ofUser), "200", "and uses up no more than its own half");
      }
    });

    await t.test(
      "a browser that it names has an allowance of its own after a sign-in with the name there",
      async () => {
        server.clock.now += hours(3);
        const linked = await server.rest("POST", `/v2/users/${user.userId}/links`, {
          body: { idpLink: { idpId, userId: "vera", userName: "vera" } },
        });
        assert.ok([200, 201].includes(linked.status), JSON.stringify(linked.body));
        const { idpIntentId, idpIntentToken } = (await send(right, atHome)).body.idpIntent;
        const checks = { user: { userId: user.userId }, idpIntent: { idpIntentId, idpIntentToken } };
        const opened = await server.rest("POST", "/v2/sessions", {
          token: loginToken,
          body: { checks, userAgent: atHome },
        });
        assert.ok([200, 201].includes(opened.status), JSON.stringify(opened.body));
        for (let host = 1; host <= 30; host++) await enter("guess", { ip: `203.0.113.${host}` });
        assert.equal(await enter(right, ofUser), throttled, "in a new browser");
        assert.equal(await enter(right, { ...ofUser, fingerprintId: "another browser" }), throttled);
        assert.equal(await enter(right, { ...ofUser, fingerprintId: "" }), throttled);
        assert.equal(await enter(right, atHome, { token: "" }), throttled, "named by another caller");
        assert.equal(await enter(right, atHome), "200");
        assert.equal(await guesses(atHome), 15);
        assert.equal(await enter(right, atHome), throttled, "that allowance is limited as well");
        server.clock.now += minutes(10);
        for (let host = 1; host <= 30; host++) await enter("guess", { ip: `203.0.113.${host}` });
        assert.equal(await enter(right, atHome), "200");
      },
    );
  });

  test("a sign-in application whose token ends during a guess at a directory does not learn whether it is right", async (t) => {
    const server = await start(t);
    const { organizationId } = await setUpOidc(server);
    const directory = await startTestDirectory(t);
    directory.entries = [entry("vera")];
    const idpId = await addDirectory(server, directory);
    const guessOf = async (name: string, password: string, end: (userId: string) => Promise<unknown>) => {
      const { userId, token } = await addServiceAccount(server, organizationId, name);
      await appoint(server, { userId }, { instance: true }, ["IAM_LOGIN_CLIENT"]);
      const isAsked = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      directory.answer = (request, id, socket) => {
        if (request.kind !== "bind" || request.name === directory.serviceDn) return false;
        isAsked.resolve();
        const code = request.password === passwordOf("vera") ? 0 : 49;
        void goOn.promise.then(() => socket.write(message(id, result(0x61, code))));
        return true;
      };
      const answer = prove(server, idpId, "vera", password, { token });
      await isAsked.promise;
      await end(userId);
      goOn.resolve();
      return slug(await answer);
    };
    const deactivate = (userId: string) => server.connect("service.user.v2.UserService/DeactivateUser", { userId });
    const ended = "401 authentication.invalid_token";
    assert.equal(await guessOf("one", passwordOf("vera"), async () => {}), "200");
    assert.equal(await guessOf("two", "guess", async () => {}), wrong);
    assert.equal(await guessOf("three", passwordOf("vera"), deactivate), ended);
    assert.equal(await guessOf("four", "guess", deactivate), ended);
  });
});
