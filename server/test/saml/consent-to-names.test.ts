import assert from "node:assert/strict";
import { nameIdFormats } from "../../src/base/saml/index.ts";
import { enginesInTurn } from "../support/databases/turns.ts";
import { fetch } from "../support/http/fetch.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { nodeSaml, register } from "./support.ts";

const attributes = { attributes: [{ name: "id", source: "SAML_ATTRIBUTE_SOURCE_USER_ID" }] };
const profile = ["openid", "profile"];

enginesInTurn((engine, test) => {
  test("users consent to the profile where the name identifier is their login name", async (t) => {
    const server = await startOidcServer(t, { engine, now: Date.now() });
    const scopeOf = async (options: object, identifierFormat: string | null): Promise<readonly string[]> => {
      const loginVersion = { loginV2: { baseUri: "https://login.example/ui" } };
      const { entityId } = await register(server, {}, { options: { attributes, ...options }, loginVersion });
      const sp = await nodeSaml(server, entityId, { identifierFormat });
      const sent = await fetch(await sp.getAuthorizeUrlAsync("", undefined, {}), { redirect: "manual" });
      const samlRequestId = new URL(sent.headers.get("location") ?? "").searchParams.get("samlRequest");
      const service = "service.saml.v2.SAMLService/GetSAMLRequest";
      const { status, body } = await server.connect(service, { samlRequestId }, { token: server.loginToken });
      assert.equal(status, 200, JSON.stringify(body));
      return body.samlRequest.scope;
    };
    assert.deepEqual(await scopeOf({}, null), profile);
    assert.deepEqual(await scopeOf({}, nameIdFormats.emailAddress), profile);
    assert.deepEqual(await scopeOf({ nameId: "SAML_NAME_ID_EMAIL_ADDRESS" }, nameIdFormats.persistent), profile);
    assert.deepEqual(await scopeOf({}, nameIdFormats.persistent), ["openid"]);
    assert.deepEqual(await scopeOf({}, nameIdFormats.transient), ["openid"]);
    assert.deepEqual(await scopeOf({ nameId: "SAML_NAME_ID_USER_ID" }, nameIdFormats.emailAddress), ["openid"]);
  });
});
