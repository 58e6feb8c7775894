import assert from "node:assert/strict";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { addApp, addFace, addMember, callUser, createSession, setSession } from "./support.ts";

const minutes = 60_000;

serversInTurn((start, test) => {
  test("checks of sessions, and the messages that they wait for", async (t) => {
    const server = await start(t);
    const code = (secret: string, steps = 0) => appCode(secret, server.clock.now, steps);
    const isAccepted = async (token: string) =>
      (await server.rest("POST", "/v2/sessions/search", { body: {}, token })).status === 200;

    await t.test("each kind of check counts as long as the login settings say", async () => {
      const ada = await addMember(server, { username: "ada" });
      const secret = await addApp(server, ada, code);
      server.clock.now += minutes;
      const password = { password: ada.password };
      const { body } = await createSession(server, {
        checks: { user: { userId: ada.userId }, password, totp: { code: code(secret) } },
      });
      assert.ok(await isAccepted(body.sessionToken));
      server.clock.now += 10 * minutes;
      assert.ok(await isAccepted(body.sessionToken));
      // Settings that became stricter hold for sessions that there are.
      await changeSettings(server, "login", { secondFactorCheckLifetimeSeconds: 300 });
      assert.equal(await isAccepted(body.sessionToken), false, "the second factor is too old");
      const renewed = await setSession(server, body.sessionId, { checks: { totp: { code: code(secret) } } });
      assert.ok(await isAccepted(renewed.body.sessionToken));
      await changeSettings(server, "login", { passwordCheckLifetimeSeconds: 300 });
      assert.equal(await isAccepted(renewed.body.sessionToken), false, "the password is too old");
      server.clock.now += minutes;
      const both = await setSession(server, body.sessionId, { checks: { password } });
      assert.ok(await isAccepted(both.body.sessionToken));
      server.clock.now += 5 * minutes;
      assert.equal(await isAccepted(both.body.sessionToken), false);
    });

    await t.test("two sessions of one user each get their code, and each the newest alone", async () => {
      const { userId } = await addFace(server, "otto");
      await callUser(server, "AddOTPEmail", { userId });
      const challenges = { otpEmail: { sendCode: {} } };
      const open = async () =>
        (await createSession(server, { checks: { user: { userId } }, challenges })).body.sessionId as string;
      const inbox = async () => {
        const path = `/ui/dev/inbox?recipient=${encodeURIComponent("otto@mail.example")}`;
        const { body } = await server.rest("GET", path, { token: null, headers: { accept: "application/json" } });
        return body.messages as { state: string; code: string }[];
      };
      const first = await open();
      server.clock.now += 1000;
      const second = await open();
      assert.deepEqual(
        (await inbox()).map(({ state }) => state),
        ["queued", "queued"],
      );
      server.clock.now += 1000;
      await setSession(server, first, { challenges });
      const [newest, ofSecond, old] = await inbox();
      assert.deepEqual([newest?.state, ofSecond?.state, old?.state], ["queued", "queued", "superseded"]);
      for (const [sessionId, sent] of [
        [first, newest],
        [second, ofSecond],
      ] as const) {
        const checked = await setSession(server, sessionId, { checks: { otpEmail: { code: sent?.code } } });
        assert.equal(checked.status, 200, JSON.stringify(checked.body));
      }
    });
  });
});
