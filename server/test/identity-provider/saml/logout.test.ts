import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import {
  attributeOf,
  isNamed,
  onlyChildOf,
  readCertificate,
  readPost,
  readRedirect,
  readXml,
  type SamlSigner,
  signElement,
  textIn,
  verifyRedirect,
  verifySignature,
  writePost,
  writeRedirect,
  type XmlElement,
  xml,
} from "../../../src/base/saml/index.ts";
import { visit } from "../../login/support/sign-in.ts";
import { fetch } from "../../support/http/fetch.ts";
import { formField } from "../../support/identity-provider/saml-partner.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { openOptions } from "../trusted.ts";
import { knowSaml, partnerOf, postResponse } from "./support.ts";

const logout = "https://saml.example/slo";
const options = { providerOptions: { ...openOptions, isAutoCreation: true } };
const persistent = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";

async function ourKey(server: TestServer, idpId: string) {
  const pem = await (await fetch(`${server.origin}/idps/${idpId}/saml/certificate`)).text();
  return readCertificate(new X509Certificate(pem).raw.toString("base64")).key;
}

eachServer((start) => {
  test("single logout with a SAML provider", async (t) => {
    const server = await start(t);
    const partner = await partnerOf(server, { logout });
    const federated = await knowSaml(server, partner, { ...options, federatedLogoutEnabled: true });
    const quiet = await knowSaml(server, partner, options);
    await changeSettings(server, "login", { identityProviderIds: [federated, quiet] });
    const addressOf = (idpId: string) => `${server.origin}/idps/${idpId}/saml/slo`;

    /** Signs a user in with a provider, in a browser of their own. */
    const signIn = async (provider: string, subject: string, sessionIndex: string) => {
      const browser = new TestBrowser(server);
      const page = await browser.open("/ui/login?account=other");
      const away = await browser.submit(page, { provider }, { action: "/ui/login/provider" });
      const request = await partner.read(away.address);
      const attributes = { mail: `${subject}@saml.example`, email_verified: "true", givenName: "A", sn: "B" };
      const answer = { subject, attributes, authentication: { SessionIndex: sessionIndex } };
      const posted = await postResponse(request.consumer, {
        SAMLResponse: formField(await partner.answer(request, answer)),
        RelayState: request.relayState,
      });
      const home = await browser.open(posted.headers.get("location") ?? "");
      assert.equal(home.address, "/ui/login/signed-in", home.html);
      return browser;
    };
    const isSignedIn = async (browser: TestBrowser): Promise<boolean> =>
      (await browser.open("/ui/logout")).forms.some(({ values }) => values.some(([name]) => name === "session_id")) ||
      (await browser.open("/ui/account")).address.startsWith("/ui/account");
    /** Signs out on our page, and returns where the browser goes. */
    const signOut = async (browser: TestBrowser) => {
      const page = await browser.open("/ui/logout");
      const ids = [...page.html.matchAll(/name="session_id"[^>]*value="(\d+)"|value="(\d+)"[^>]*name="session_id"/g)];
      const session_id = ids.map(([, one, other]) => one ?? other ?? "");
      assert.ok(session_id.length > 0, page.html);
      return browser.submit(page, { session_id });
    };

    interface Given {
      readonly provider?: string;
      readonly nameId?: string;
      readonly indexes?: readonly string[];
      readonly values?: Readonly<Record<string, string | undefined>>;
      readonly issuer?: string;
      readonly signer?: SamlSigner | undefined;
    }
    let count = 0;
    const requestOf = ({
      provider = federated,
      nameId = "ada",
      indexes = [],
      values = {},
      issuer,
    }: Given): XmlElement =>
      xml(
        "samlp:LogoutRequest",
        {
          ID: `_l${++count}`,
          Version: "2.0",
          IssueInstant: new Date(server.clock.now).toISOString(),
          Destination: addressOf(provider),
          ...values,
        },
        [
          xml("saml:Issuer", {}, [issuer ?? partner.entityId]),
          xml("saml:NameID", { Format: persistent }, [nameId]),
          ...indexes.map((index) => xml("samlp:SessionIndex", {}, [index])),
        ],
      );
    const askByRedirect = async (given: Given) => {
      const message = requestOf(given);
      const signer = "signer" in given ? given.signer : partner.signer;
      const destination = addressOf(given.provider ?? federated);
      const url = await writeRedirect({ destination, parameter: "SAMLRequest", message, relayState: "theirs", signer });
      return { message, answer: await fetch(url, { redirect: "manual" }) };
    };

    await t.test("a sign-out here ends the session there, and leads back", async () => {
      const browser = await signIn(federated, "ada", "_s1");
      const away = await signOut(browser);
      assert.ok(away.address.startsWith(`${logout}?SAMLRequest=`), away.address);
      const read = await readRedirect(new URL(away.address).search.slice(1), "SAMLRequest");
      verifyRedirect(read, { keys: [await ourKey(server, federated)] });
      const message = await readXml(read.message);
      assert.ok(isNamed(message, "samlp", "LogoutRequest"));
      assert.equal(textIn(onlyChildOf(message, "saml", "NameID")), "ada");
      assert.equal(attributeOf(onlyChildOf(message, "saml", "NameID"), "Format"), persistent);
      assert.equal(textIn(onlyChildOf(message, "samlp", "SessionIndex")), "_s1");
      assert.equal(await isSignedIn(browser), false, "whether or not the browser comes back");
      const back = `/idps/${federated}/saml/slo?SAMLResponse=x&RelayState=${read.relayState}`;
      const other = `/idps/${quiet}/saml/slo?SAMLResponse=x&RelayState=${read.relayState}`;
      assert.equal((await browser.open(other)).address, "/ui/logout/done");
      assert.equal((await browser.open(back)).address, "/ui/logout/done");
      assert.equal((await browser.open(`/idps/${federated}/saml/slo?SAMLResponse=x`)).status, 400);
    });

    await t.test("an application that ends the session sends the browser there first, and gets it back", async () => {
      const home = "https://shop.example/bye";
      const client = await addClient(server, { postLogoutRedirectUris: [home] });
      const { browser, page, codeVerifier } = await visit(server, client, { prompt: "login" });
      const away = await browser.submit(page, { provider: federated }, { action: "/ui/login/provider" });
      const request = await partner.read(away.address);
      assert.equal(attributeOf(request.message, "ForceAuthn"), "true");
      const answer = { subject: "ada", attributes: {}, authentication: { SessionIndex: "_app" } };
      const posted = await postResponse(request.consumer, {
        SAMLResponse: formField(await partner.answer(request, answer)),
        RelayState: request.relayState,
      });
      const back = await browser.open(posted.headers.get("location") ?? "");
      const { body } = await client.exchange(back.address, codeVerifier);
      const query = new URLSearchParams({
        id_token_hint: body.id_token,
        post_logout_redirect_uri: home,
        state: "s 2",
      });
      const there = await browser.open(`/oidc/v1/end_session?${query.toString()}`);
      assert.ok(there.address.startsWith(`${logout}?SAMLRequest=`), there.address);
      const { relayState } = await readRedirect(new URL(there.address).search.slice(1), "SAMLRequest");
      const returned = await browser.open(`/idps/${federated}/saml/slo?SAMLResponse=x&RelayState=${relayState}`);
      assert.equal(returned.address, `${home}?state=s+2`);
      const again = await browser.open(`/idps/${federated}/saml/slo?SAMLResponse=x&RelayState=${relayState}`);
      assert.equal(again.address, "/ui/logout/done", "it leads there once");
    });

    await t.test("an authentication that is older than the application demands is refused", async () => {
      const client = await addClient(server);
      const { browser, page } = await visit(server, client, { prompt: "login" });
      const away = await browser.submit(page, { provider: federated }, { action: "/ui/login/provider" });
      const request = await partner.read(away.address);
      const old = new Date(server.clock.now - 60_001).toISOString();
      const posted = await postResponse(request.consumer, {
        SAMLResponse: formField(await partner.answer(request, { authentication: { AuthnInstant: old } })),
        RelayState: request.relayState,
      });
      const refused = await browser.open(posted.headers.get("location") ?? "");
      assert.match(refused.address, /^\/ui\/login\/external/);
    });

    await t.test("a provider that does not want to know is not told", async () => {
      const browser = await signIn(quiet, "quiet", "_q");
      assert.equal((await signOut(browser)).address, "/ui/logout/done");
    });

    await t.test("a logout there ends the sessions here that it opened, and is answered", async () => {
      const [one, two, other] = [
        await signIn(federated, "ada", "_s2"),
        await signIn(federated, "ada", "_s3"),
        await signIn(quiet, "bob", "_s2"),
      ];
      const { message, answer } = await askByRedirect({ indexes: ["_s2"] });
      const location = answer.headers.get("location") ?? "";
      assert.equal(answer.status, 303);
      assert.ok(location.startsWith(`${logout}?SAMLResponse=`), location);
      const read = await readRedirect(new URL(location).search.slice(1), "SAMLResponse");
      verifyRedirect(read, { keys: [await ourKey(server, federated)] });
      assert.equal(read.relayState, "theirs");
      const response = await readXml(read.message);
      assert.equal(attributeOf(response, "InResponseTo"), attributeOf(message, "ID"));
      assert.equal(await isSignedIn(one), false);
      assert.equal(await isSignedIn(two), true, "another session there");
      assert.equal(await isSignedIn(other), true, "another account");
      await askByRedirect({});
      assert.equal(await isSignedIn(two), false, "without an index, all sessions of the account");
      assert.equal(await isSignedIn(other), true);
    });

    await t.test("by POST too, with a form for the answer", async () => {
      const browser = await signIn(federated, "ada", "_s4");
      const SAMLRequest = writePost(await signElement(requestOf({}), partner.signer));
      const answer = await postResponse(addressOf(federated), { SAMLRequest });
      assert.equal(answer.status, 200);
      const page = await answer.text();
      assert.match(page, new RegExp(`action="${logout}"`));
      const [, value = ""] = /name="SAMLResponse" value="([^"]*)"/.exec(page) ?? [];
      await verifySignature(await readXml(readPost(value, "request")), { keys: [await ourKey(server, federated)] });
      assert.equal(await isSignedIn(browser), false);
    });

    await t.test("by a provider whose clock is a minute behind", async () => {
      const browser = await signIn(federated, "ada", "_s6");
      server.clock.now += 1000;
      await askByRedirect({ values: { IssueInstant: new Date(server.clock.now - 60_000).toISOString() } });
      assert.equal(await isSignedIn(browser), false);
    });

    await t.test("by a provider that was deactivated, which answers nothing else", async () => {
      const browser = await signIn(quiet, "bob", "_s7");
      const change = async (verb: string): Promise<void> => {
        const { status } = await server.rest("POST", `/admin/v1/idps/${quiet}/_${verb}`, { body: {} });
        assert.equal(status, 200);
      };
      await change("deactivate");
      assert.equal((await fetch(`${addressOf(quiet)}?SAMLResponse=x&RelayState=y`)).status, 404);
      assert.equal((await askByRedirect({ provider: quiet, nameId: "bob", signer: undefined })).answer.status, 400);
      assert.equal(await isSignedIn(browser), true);
      assert.equal((await askByRedirect({ provider: quiet, nameId: "bob" })).answer.status, 303);
      assert.equal(await isSignedIn(browser), false);
      await change("reactivate");
    });

    await t.test("what is forged, old, for another address or by another provider ends nothing", async () => {
      const browser = await signIn(federated, "ada", "_s5");
      const stranger = await partnerOf(server, { logout });
      const other = await partnerOf(server, { logout, origin: "https://other.example" });
      const otherId = await knowSaml(server, other, options);
      const at = (difference: number) => new Date(server.clock.now + difference).toISOString();
      const bad: Record<string, Given> = {
        unsigned: { signer: undefined },
        stranger: { signer: stranger.signer },
        "another algorithm": { signer: { ...partner.signer, algorithm: "RSA-SHA1" } },
        "another issuer": { issuer: "https://other.example" },
        "another address": { values: { Destination: addressOf(quiet) } },
        "no address": { values: { Destination: undefined } },
        old: { values: { IssueInstant: at(-300_001) } },
        "to come": { values: { IssueInstant: at(60_001) } },
        "no time": { values: { IssueInstant: undefined } },
        over: { values: { NotOnOrAfter: at(-60_000) } },
        "another version": { values: { Version: "1.1" } },
      };
      for (const [name, given] of Object.entries(bad)) {
        assert.equal((await askByRedirect(given)).answer.status, 400, name);
      }
      // Good requests of others, who have no session of this account.
      const byOther = { provider: otherId, signer: other.signer, issuer: other.entityId };
      assert.equal((await askByRedirect(byOther)).answer.status, 303);
      assert.equal((await askByRedirect({ provider: quiet })).answer.status, 303);
      assert.equal((await askByRedirect({ nameId: "bob" })).answer.status, 303);
      assert.equal((await askByRedirect({ indexes: ["_other"] })).answer.status, 303);
      const early = { values: { IssueInstant: at(-60_001) } };
      assert.equal((await askByRedirect(early)).answer.status, 303, "from before the session began");
      assert.equal(await isSignedIn(browser), true);
      for (const path of ["/idps/1/saml/slo?SAMLRequest=x", "/idps/1/saml/slo?SAMLResponse=x&RelayState=y"]) {
        assert.equal((await browser.open(path)).status, 404);
      }
      await askByRedirect({});
      assert.equal(await isSignedIn(browser), false);
    });
  });
});
