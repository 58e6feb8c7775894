import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fetch } from "../support/http/fetch.ts";
import { addPerson } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { consumer, logoutAddress, partnerKey, pathOf, postedBy, register, signInAt, startNow } from "./support.ts";

interface Answer {
  readonly extract: {
    readonly nameID: string;
    readonly attributes: Readonly<Record<string, string>>;
    readonly sessionIndex: { readonly sessionIndex: string };
    readonly response: { readonly inResponseTo: string };
  };
}

/** What is used of a service provider. */
interface Provider {
  getMetadata(): string;
  createLoginRequest(idp: object, binding: string): { readonly id: string; readonly context: string };
  createLogoutRequest(idp: object, binding: string, user: object): { readonly id: string; readonly context: string };
  parseLoginResponse(idp: object, binding: string, request: object): Promise<Answer>;
  parseLogoutResponse(idp: object, binding: string, request: object): Promise<Answer>;
}

// Its types bring those of browsers along, for every test.
const require = createRequire(import.meta.url);
const { Constants, IdentityProvider, ServiceProvider, setSchemaValidator } = require("samlify") as {
  readonly Constants: {
    readonly namespace: { readonly binding: { readonly redirect: string; readonly post: string } };
  };
  readonly IdentityProvider: (settings: object) => object;
  readonly ServiceProvider: (settings: object) => Provider;
  readonly setSchemaValidator: (validator: { readonly validate: () => Promise<string> }) => void;
};

// It asks for a validator of XML schemas, and brings none.
setSchemaValidator({ validate: async () => "not validated" });

eachServer((start) => {
  test("a service provider of samlify reads our metadata, signs users in and out, and has its metadata read", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const key = await partnerKey();
    const { binding } = Constants.namespace;
    const entityID = "https://samlify.example/saml";
    const sp = ServiceProvider({
      entityID,
      authnRequestsSigned: true,
      wantAssertionsSigned: true,
      wantMessageSigned: true,
      signingCert: key.der,
      privateKey: key.privateKey,
      encryptCert: key.der,
      encPrivateKey: key.privateKey,
      isAssertionEncrypted: true,
      assertionConsumerService: [{ Binding: binding.post, Location: consumer }],
      singleLogoutService: [{ Binding: binding.redirect, Location: logoutAddress }],
    });
    await register(
      server,
      { entityId: entityID, document: sp.getMetadata() },
      { options: { encryptAssertions: true } },
    );
    const metadata = await (await fetch(`${server.origin}/saml/v2/metadata`)).text();
    // It refuses to sign what is not demanded.
    assert.ok(metadata.includes('WantAuthnRequestsSigned="false"'));
    const demanding = metadata.replace('WantAuthnRequestsSigned="false"', 'WantAuthnRequestsSigned="true"');
    const idp = IdentityProvider({
      metadata: demanding,
      isAssertionEncrypted: true,
      messageSigningOrder: "encrypt-then-sign",
      wantLogoutRequestSigned: true,
    });
    const { context } = sp.createLoginRequest(idp, "redirect");
    const { browser, page } = await signInAt(server, context, ada);
    const { extract } = await sp.parseLoginResponse(idp, "post", { body: postedBy(page).fields });
    assert.equal(extract.nameID, ada.loginName);
    assert.equal(extract.attributes.Email, "ada@mail.example");
    const logout = sp.createLogoutRequest(idp, "redirect", {
      logoutNameID: extract.nameID,
      sessionIndex: extract.sessionIndex.sessionIndex,
    });
    const end = await browser.open(pathOf(logout.context));
    const query = Object.fromEntries(new URL(end.address).searchParams);
    const octetString = ["SAMLResponse", "RelayState", "SigAlg"]
      .filter((name) => name in query)
      .map((name) => `${name}=${encodeURIComponent(query[name] ?? "")}`)
      .join("&");
    const answer = await sp.parseLogoutResponse(idp, "redirect", { query, octetString });
    assert.equal(answer.extract.response.inResponseTo, logout.id);
    assert.match((await browser.open(pathOf(sp.createLoginRequest(idp, "redirect").context))).address, /^\/ui\/login/);
  });
});
