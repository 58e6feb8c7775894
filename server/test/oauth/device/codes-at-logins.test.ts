import assert from "node:assert/strict";
import { slugOf } from "../../factor/support.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { startDeviceServer } from "./support.ts";

const absent = "device_authorization.not_found";

enginesInTurn((engine, test) => {
  test("user codes at a sign-in application are limited by the browser and the address that it names (L1)", async (t) => {
    const server = await startDeviceServer(t, { engine });
    const { user_code: userCode } = await server.wait();
    const ask = async (code: string, userAgent?: object, token?: string) =>
      slugOf(
        await server.connect(
          "service.oidc.v2.OIDCService/GetDeviceAuthorizationRequest",
          { userCode: code, ...(userAgent && { userAgent }) },
          { token: token ?? server.loginToken },
        ),
      );
    const stranger = { ip: "203.0.113.9", fingerprintId: "browser of a stranger" };
    for (let count = 0; count < 20; count++)
      assert.equal(await ask(userCode, stranger), "done", "right ones do not count");
    for (let count = 0; count < 10; count++) assert.equal(await ask("BBBB-BBBB", stranger), absent);
    assert.equal(await ask(userCode, stranger), "request.too_many");
    const neighbor = { ip: stranger.ip, fingerprintId: "browser of a neighbor" };
    assert.equal(await ask(userCode, neighbor), "done");
    for (let count = 0; count < 60; count++) await ask("BBBB-BBBB", { ip: stranger.ip });
    assert.equal(await ask(userCode, neighbor), "request.too_many", "the address has a limit as well");
    assert.equal(await ask(userCode, { ip: "198.51.100.7" }), "done", "other users are not kept out");
    assert.equal(await ask(userCode), "done", "nor those of whom nothing is said");
    server.clock.now += 660_000;
    const { user_code: next } = await server.wait();
    assert.equal(await ask(next, stranger), "done", "the limit ends");
  });
});
