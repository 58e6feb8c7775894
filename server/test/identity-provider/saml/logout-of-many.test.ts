import assert from "node:assert/strict";
import { test } from "node:test";
import { nameIdFormats, writeRedirect, xml } from "../../../src/base/saml/index.ts";
import { fetch } from "../../support/http/fetch.ts";
import { formField } from "../../support/identity-provider/saml-partner.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { openOptions } from "../trusted.ts";
import { knowSaml, partnerOf, postResponse } from "./support.ts";

const logout = "https://saml.example/slo";
const { persistent, emailAddress, unspecified } = nameIdFormats;

eachServer((start) => {
  test("a logout at a SAML provider of a user with many sessions", async (t) => {
    const server = await start(t);
    const partner = await partnerOf(server, { logout });
    const idpId = await knowSaml(server, partner, { providerOptions: { ...openOptions, isAutoCreation: true } });
    await changeSettings(server, "login", { identityProviderIds: [idpId] });

    const signIn = async (SessionIndex: string): Promise<TestBrowser> => {
      const browser = new TestBrowser(server);
      const page = await browser.open("/ui/login?account=other");
      const away = await browser.submit(page, { provider: idpId }, { action: "/ui/login/provider" });
      const request = await partner.read(away.address);
      const attributes = { mail: "vera@saml.example", email_verified: "true", givenName: "A", sn: "B" };
      const answer = { subject: "vera", attributes, authentication: { SessionIndex } };
      const posted = await postResponse(request.consumer, {
        SAMLResponse: formField(await partner.answer(request, answer)),
        RelayState: request.relayState,
      });
      const home = await browser.open(posted.headers.get("location") ?? "");
      assert.equal(home.address, "/ui/login/signed-in", home.html);
      return browser;
    };
    const isSignedIn = async (browser: TestBrowser): Promise<boolean> =>
      (await browser.open("/ui/account")).address.startsWith("/ui/account");
    let count = 0;
    const ask = async (indexes: readonly string[] = [], format: string | undefined = persistent): Promise<void> => {
      server.clock.now += 1000;
      const destination = `${server.origin}/idps/${idpId}/saml/slo`;
      const values = { ID: `_l${++count}`, Version: "2.0", IssueInstant: new Date(server.clock.now).toISOString() };
      const message = xml("samlp:LogoutRequest", { ...values, Destination: destination }, [
        xml("saml:Issuer", {}, [partner.entityId]),
        xml("saml:NameID", { Format: format }, ["vera"]),
        ...indexes.map((index) => xml("samlp:SessionIndex", {}, [index])),
      ]);
      const { signer } = partner;
      const url = await writeRedirect({ destination, parameter: "SAMLRequest", message, signer });
      assert.equal((await fetch(url, { redirect: "manual" })).status, 303);
    };
    const kept = await signIn("_kept");
    const queries = [{ emailQuery: { emailAddress: "vera@saml.example" } }];
    const [{ preferredLoginName: loginName }] = (await server.rest("POST", "/v2/users", { body: { queries } })).body
      .result;

    await t.test(
      "ends the one that it names beside older ones, also of strangers who only entered the name",
      async () => {
        for (let index = 0; index < 101; index++) {
          const { status } = await server.rest("POST", "/v2/sessions", { body: { checks: { user: { loginName } } } });
          assert.equal(status, 201);
        }
        const later = await signIn("_later");
        await ask(["_other"]);
        await ask([], emailAddress);
        assert.equal(await isSignedIn(later), true, "another session, and an account of another format");
        await ask(["_later"]);
        assert.equal(await isSignedIn(later), false);
        assert.equal(await isSignedIn(kept), true);
      },
    );

    await t.test("ends all that were opened with the account, in batches", async () => {
      const browsers = [kept];
      for (let index = 0; index < 45; index++) browsers.push(await signIn(`_s${index}`));
      await ask([], unspecified);
      const left = await Promise.all(browsers.map(isSignedIn));
      assert.deepEqual(new Set(left), new Set([false]));
      const { body } = await server.rest("POST", "/v2/sessions/search", { body: {} });
      assert.ok(Number(body.details.totalResult) >= 101, "others stay");
    });
  });
});
