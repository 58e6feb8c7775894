import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { addApp } from "../factor/support.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { adoptSession } from "../support/sign-in/adopt-session.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { startImpersonating } from "./support.ts";

eachEngine((_open, engine) => {
  test("in the strict profile an impersonation needs a fresh sign-in with two factors", async (t) => {
    const { server, adminIn } = await startImpersonating(t, engine, { config: { profile: "strict" } });
    const { user: ada } = server;
    const bob = await addPerson(server, { username: "bob" });
    await appoint(server, ada, { instance: true }, ["IAM_OWNER_VIEWER", "IAM_END_USER_IMPERSONATOR"]);
    const secret = await addApp(server, { userId: ada.userId }, (made) => appCode(made, server.clock.now));
    const checks = {
      user: { userId: ada.userId },
      password: { password: ada.password },
      totp: { code: appCode(secret, server.clock.now) },
    };
    const { body, status } = await server.rest("POST", "/v2/sessions", { body: { checks } });
    assert.equal(status, 201, JSON.stringify(body));
    const browser = new TestBrowser(server);
    const [name = "", value = ""] = (await adoptSession(server, body.sessionId)).cookie.split("=");
    browser.cookies.set(name, value);
    server.clock.now += minutes(5);
    const admin = await adminIn(browser);
    assert.equal((await admin.ask({ userId: bob.userId })).told, "ok");
    server.clock.now += minutes(5) + 1;
    assert.equal((await admin.ask({ userId: bob.userId })).told, "authentication.too_old");
  });
});
