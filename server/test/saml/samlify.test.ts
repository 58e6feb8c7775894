import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { signedQuery, signOutHere } from "../saml-partners/support/messages.ts";
import { fetch } from "../support/http/fetch.ts";
import { addPerson } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestBrowser } from "../support/sign-in/test-browser.ts";
import { consumer, logoutAddress, partnerKey, pathOf, postedBy, register, signInAt, startNow } from "./support.ts";

interface Answer {
  readonly extract: {
    readonly nameID: string;
    readonly attributes: Readonly<Record<string, string>>;
    readonly sessionIndex: { readonly sessionIndex: string };
    readonly response: { readonly inResponseTo: string };
  };
}

interface LogoutRequest {
  readonly extract: { readonly nameID: string; readonly sessionIndex: string };
}

/** What is used of a service provider. */
interface Provider {
  getMetadata(): string;
  createLoginRequest(idp: object, binding: string): { readonly id: string; readonly context: string };
  createLogoutRequest(idp: object, binding: string, user: object): { readonly id: string; readonly context: string };
  parseLoginResponse(idp: object, binding: string, request: object): Promise<Answer>;
  parseLogoutResponse(idp: object, binding: string, request: object): Promise<Answer>;
  parseLogoutRequest(idp: object, binding: string, request: object): Promise<LogoutRequest>;
  createLogoutResponse(idp: object, request: object, binding: string, options: object): { readonly context: string };
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
  test("a service provider of samlify: metadata read on both sides, sign-in, logout begun on either side", async (t) => {
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
      wantLogoutRequestSigned: true,
      wantLogoutResponseSigned: true,
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
      wantLogoutResponseSigned: true,
    });
    const signIn = async () => {
      const { context } = sp.createLoginRequest(idp, "redirect");
      const { browser, page } = await signInAt(server, context, ada);
      const { extract } = await sp.parseLoginResponse(idp, "post", { body: postedBy(page).fields });
      return { browser, extract, sessionIndex: extract.sessionIndex.sessionIndex };
    };
    const isSignedIn = async (browser: TestBrowser): Promise<boolean> =>
      !(await browser.open(pathOf(sp.createLoginRequest(idp, "redirect").context))).address.startsWith("/ui/login");

    const { browser, extract, sessionIndex } = await signIn();
    assert.equal(extract.nameID, ada.loginName);
    assert.equal(extract.attributes.Email, "ada@mail.example");
    assert.equal(await isSignedIn(browser), true);
    const logout = sp.createLogoutRequest(idp, "redirect", { logoutNameID: extract.nameID, sessionIndex });
    const end = await browser.open(pathOf(logout.context));
    const answer = await sp.parseLogoutResponse(idp, "redirect", signedQuery(end.address));
    assert.equal(answer.extract.response.inResponseTo, logout.id);
    assert.equal(await isSignedIn(browser), false);

    const again = await signIn();
    const there = await signOutHere(again.browser);
    assert.ok(there.address.startsWith(`${logoutAddress}?SAMLRequest=`), there.address);
    const brought = signedQuery(there.address);
    const request = await sp.parseLogoutRequest(idp, "redirect", brought);
    assert.deepEqual([request.extract.nameID, request.extract.sessionIndex], [ada.loginName, again.sessionIndex]);
    const { RelayState: relayState } = brought.query;
    const back = sp.createLogoutResponse(idp, request, "redirect", { relayState });
    assert.equal((await again.browser.open(pathOf(back.context))).address, "/ui/logout/done");
    assert.equal(await isSignedIn(again.browser), false);
  });
});
