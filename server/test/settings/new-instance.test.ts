import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

const application = "service.application.v2.ApplicationService";

async function startNew(t: TestContext, start: Start) {
  const server = await start(t, { isFresh: true });
  return { ...server, ...(await setUpOidc(server)) };
}

serversInTurn((start, test) => {
  test("a new instance gives tokens of an hour, and an administrator may choose another lifetime", async (t) => {
    const server = await startNew(t, start);
    const { expires_in: lifetime, id_token: idToken = "" } = await server.tokens();
    const { iat, exp } = JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString("utf8"));
    assert.deepEqual([Number(lifetime), exp - iat], [3600, 3600]);
    await changeSettings(server, "oidc", { accessTokenLifetimeSeconds: 7200 });
    assert.equal(Number((await server.tokens())["expires_in"]), 7200);
  });

  test("a new instance asks for the password again after twelve hours, and an administrator may choose otherwise", async (t) => {
    const server = await startNew(t, start);
    const client = await addClient(server);
    const isInAfterHalfADay = async () => {
      const browser = new TestBrowser(server);
      const isIn = async () => isBack((await visit(server, client, {}, browser)).page);
      assert.ok(isBack(await enter(await visit(server, client, {}, browser), server.user)));
      server.clock.now += 12 * 3_600_000 - 1000;
      assert.ok(await isIn());
      server.clock.now += 1000;
      return isIn();
    };
    assert.equal(await isInAfterHalfADay(), false);
    await changeSettings(server, "login", { passwordCheckLifetimeSeconds: 864_000 });
    assert.equal(await isInAfterHalfADay(), true);
    const { settings } = (await server.rest("GET", "/v2/settings/login")).body;
    assert.equal(settings.externalLoginCheckLifetime, "43200s");
  });

  test("strangers make no account in a new instance until an administrator permits it", async (t) => {
    const server = await startNew(t, start);
    const leads = async (): Promise<boolean> =>
      (await new TestBrowser(server).open("/ui/login/register")).address.startsWith("/ui/login/register");
    assert.equal(await leads(), false);
    await changeSettings(server, "login", { allowRegister: true });
    assert.equal(await leads(), true);
  });

  test("an application of a new instance gets no implicit grant unless it is asked for", async (t) => {
    const server = await startNew(t, start);
    const create = async (name: string, oidcConfiguration: object) => {
      const body = { projectId: server.projectId, name, oidcConfiguration };
      const { body: made } = await server.connect(`${application}/CreateApplication`, body);
      const found = await server.connect(`${application}/GetApplication`, { applicationId: made.applicationId });
      const { responseTypes, grantTypes } = found.body.application.oidcConfiguration;
      return [responseTypes, grantTypes];
    };
    const redirectUris = ["https://app.example/callback"];
    assert.deepEqual(await create("Plain", { redirectUris }), [
      ["OIDC_RESPONSE_TYPE_CODE"],
      ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
    ]);
    const asked = {
      redirectUris,
      responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN"],
      grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"],
    };
    assert.deepEqual(await create("Asked", asked), [["OIDC_RESPONSE_TYPE_ID_TOKEN"], ["OIDC_GRANT_TYPE_IMPLICIT"]]);
  });
});
