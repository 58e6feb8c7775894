import assert from "node:assert/strict";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { openOptions } from "../trusted.ts";
import { accountIn, answerOf, endThere, signInBySaml } from "./logouts.ts";
import { attemptWith, failureOf, knowSaml, partnerOf } from "./support.ts";

const logout = "https://saml.example/slo";
const options = { providerOptions: { ...openOptions, isAutoCreation: true } };

serversInTurn((start, test) => {
  test("a logout at a SAML provider finds each session that it opened", async (t) => {
    const server = await start(t);
    const partner = await partnerOf(server, { logout });
    const idpId = await knowSaml(server, partner, options);
    const another = await partnerOf(server, { logout, origin: "https://another.example" });
    const anotherId = await knowSaml(server, another, options);
    await changeSettings(server, "login", { identityProviderIds: [idpId, anotherId] });
    const known = { server, partner, idpId };
    const other = { server, partner: another, idpId: anotherId };

    await t.test("that another answer renewed, of the same provider or another one", async () => {
      await signInBySaml(known, "vera", "_0");
      const query = { queries: [{ emailQuery: { emailAddress: "vera@saml.example" } }] };
      const [{ userId }] = (await server.rest("POST", "/v2/users", { body: query })).body.result;
      const idpLink = { idpId: anotherId, userId: "vera2", userName: "vera2" };
      const linked = await server.rest("POST", `/v2/users/${userId}/links`, { body: { idpLink } });
      assert.ok(linked.status < 300, JSON.stringify(linked.body));
      for (const first of [true, false]) {
        const browser = new TestBrowser(server);
        for (const index of ["_1", "_2"]) await signInBySaml(known, "vera", index, browser);
        await signInBySaml(other, "vera2", "_3", browser);
        await endThere(known, { subject: "vera", indexes: ["_0"] });
        assert.notEqual(await accountIn(browser), "", "a session elsewhere");
        await endThere(first ? known : other, first ? { subject: "vera", indexes: ["_1"] } : { subject: "vera2" });
        assert.equal(await accountIn(browser), "");
      }
    });

    await t.test("that was opened before the provider got other keys", async () => {
      const { browser } = await signInBySaml(known, "walt", "_w");
      const { browser: beside } = await signInBySaml(known, "wilma", "_w");
      const renewed = await partnerOf(server, { logout });
      const changed = await server.rest("PUT", `/admin/v1/idps/saml/${idpId}`, {
        body: {
          name: "SAML partner",
          metadataXml: Buffer.from(renewed.metadata).toString("base64"),
          binding: "SAML_BINDING_REDIRECT",
          nameIdFormat: "SAML_NAME_ID_FORMAT_PERSISTENT",
          ...options,
        },
      });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      await endThere({ server, partner: renewed, idpId }, { subject: "walt" });
      assert.equal(await accountIn(browser), "");
      assert.notEqual(await accountIn(beside), "", "another account");
    });

    await t.test("and none is opened that it could not name", async () => {
      const failure = async (index: string) =>
        failureOf(server, await attemptWith(server, another, anotherId, answerOf("wanda", index)));
      assert.match(await failure("x".repeat(500)), /^no failure/);
      assert.match(await failure("x".repeat(501)), /answer_malformed/);
    });
  });
});
