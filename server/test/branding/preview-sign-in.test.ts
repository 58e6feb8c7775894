import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { addApp, createSession } from "../factor/support.ts";
import { fetch } from "../support/http/fetch.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { adoptSession } from "../support/sign-in/adopt-session.ts";
import { appCode } from "../support/sign-in/totp.ts";

const framed = { "sec-fetch-site": "same-origin", "sec-fetch-dest": "iframe" };

for (const profile of ["strict", "standard"] as const) {
  eachServer((start) => {
    test(`a preview takes the sign-in that the API takes (${profile})`, async (t) => {
      const server = await start(t, { config: { profile } });
      const organizationId = await addOrganization(server, "Acme");
      const eve = await addPerson(server, { username: "eve", organizationId });
      await appoint(server, eve, { organizationId }, ["ORG_OWNER"]);
      // A browser from a time when the user had no second factor.
      const weak = await adoptSession(server, (await sessionOf(server, eve)).sessionId);
      server.clock.now += minutes(1);
      const secret = await addApp(server, eve, (made) => appCode(made, server.clock.now));
      server.clock.now += minutes(1);
      const checks = {
        user: { userId: eve.userId },
        password: { password: eve.password },
        totp: { code: appCode(secret, server.clock.now) },
      };
      const { sessionId, sessionToken: token } = (await createSession(server, { checks })).body;
      const made = await server.connect(
        "service.appearance.v2.AppearanceService/CreatePreview",
        { language: "en", organizationId, page: { page: "LOGIN_PAGE_PASSWORD" } },
        { token },
      );
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const open = async ({ cookie }: { cookie: string }): Promise<number> =>
        (await fetch(server.origin + made.body.path, { headers: { ...framed, cookie } })).status;
      assert.equal(await open(weak), profile === "strict" ? 404 : 200);
      assert.equal(await open(await adoptSession(server, sessionId)), 200);
    });
  });
}
