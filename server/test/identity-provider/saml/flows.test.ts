import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import {
  attributeOf,
  childOf,
  isNamed,
  readCertificate,
  readMetadata,
  readPost,
  readRedirect,
  readXml,
  verifyRedirect,
  verifySignature,
} from "../../../src/base/saml/index.ts";
import { fetch } from "../../support/http/fetch.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { samlMetadata } from "../../support/identity-provider/saml-metadata.ts";
import { formField } from "../../support/identity-provider/saml-partner.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { arrive, pages } from "../attempts.ts";
import { openOptions } from "../trusted.ts";
import { attemptWith, begin, comeBackWith, failureOf, knowSaml, partnerOf, postResponse, reported } from "./support.ts";

const autoCreation = { providerOptions: { ...openOptions, isAutoCreation: true } };

const certificateOf = async (server: TestServer, idpId: string): Promise<string> =>
  (await fetch(`${server.origin}/idps/${idpId}/saml/certificate`)).text();

serversInTurn((start, test, both) => {
  test("signing in with a SAML provider", async (t) => {
    const server = await start(t);
    const partner = await partnerOf(server);
    const redirecting = await knowSaml(server, partner, autoCreation);
    const posting = await knowSaml(server, partner, {
      ...autoCreation,
      binding: "SAML_BINDING_POST",
      withSignedRequest: true,
    });
    await changeSettings(server, "login", { identityProviderIds: [redirecting, posting] });

    /** Presses the button of a provider, and returns the page from which the browser leaves. */
    const leave = async (provider: string, browser = new TestBrowser(server)) => {
      const page = await browser.open("/ui/login?account=other");
      return { browser, away: await browser.submit(page, { provider }, { action: "/ui/login/provider" }) };
    };
    const formOf = ({ forms }: ShownPage) => Object.fromEntries(forms[0]?.values ?? []) as Record<string, string>;

    await t.test("by redirect: the answer is posted without our cookie, and the user is signed in", async () => {
      const { browser, away } = await leave(redirecting);
      assert.ok(away.address.startsWith("https://saml.example/sso?SAMLRequest="), away.address);
      const request = await partner.read(away.address);
      assert.equal(request.isSigned, false);
      const attributes = { mail: "ada@saml.example", email_verified: "true", givenName: "Ada", sn: "Lovelace" };
      const answer = await partner.answer(request, { attributes });
      const posted = await postResponse(request.consumer, {
        SAMLResponse: formField(answer),
        RelayState: request.relayState,
      });
      const location = posted.headers.get("location") ?? "";
      assert.deepEqual([posted.status, posted.headers.get("set-cookie")], [303, null]);
      assert.match((await new TestBrowser(server).open(location)).title, /another browser/);
      const home = await browser.open(location);
      assert.equal(home.address, "/ui/login/signed-in", home.html);
      const queries = [{ emailQuery: { emailAddress: "ada@saml.example" } }];
      const [user] = (await server.rest("POST", "/v2/users", { body: { queries } })).body.result;
      assert.equal(user.human.profile.givenName, "Ada");
      assert.equal(user.human.email.isVerified, true, "an attribute says so");
      const links = await server.rest("POST", `/v2/users/${user.userId}/links/_search`, { body: {} });
      assert.deepEqual(links.body.result, [{ idpId: redirecting, userId: "person-1", userName: "ada@saml.example" }]);
      // And from then on.
      const again = await leave(redirecting);
      const next = await partner.read(again.away.address);
      const second = await postResponse(next.consumer, {
        SAMLResponse: formField(await partner.answer(next, { attributes: {} })),
        RelayState: next.relayState,
      });
      assert.equal((await again.browser.open(second.headers.get("location") ?? "")).address, "/ui/login/signed-in");
    });

    await t.test("by POST: our page has the browser post a signed request, to the provider only", async () => {
      const { browser, away } = await leave(posting);
      assert.ok(away.address.startsWith("/idps/saml/send?id="), away.address);
      assert.match(away.title, /To the provider/);
      assert.equal(away.forms[0]?.action, "https://saml.example/sso");
      assert.match(away.headers.get("content-security-policy") ?? "", /form-action https:\/\/saml\.example(?:;|$)/);
      const request = await partner.read(formOf(away));
      const { key } = readCertificate(new X509Certificate(await certificateOf(server, posting)).raw.toString("base64"));
      const covered = await verifySignature(request.message, { keys: [key] });
      assert.equal(attributeOf(covered, "ID"), request.id);
      assert.match((await new TestBrowser(server).open(away.address)).title, /expired/);
      const posted = await postResponse(request.consumer, {
        SAMLResponse: formField(
          await partner.answer(request, {
            subject: "person-2",
            attributes: { mail: "bob@saml.example", email_verified: "true", givenName: "B", sn: "C" },
          }),
        ),
        RelayState: request.relayState,
      });
      const home = await browser.open(posted.headers.get("location") ?? "");
      assert.equal(home.address, "/ui/login/signed-in", home.html);
      assert.match((await browser.open(away.address)).title, /expired/, "the attempt is over");
    });

    await t.test("a sign-in that was not begun here is refused, and says so", async () => {
      const request = await begin(server, partner, redirecting);
      const SAMLResponse = formField(await partner.answer(request, { confirmation: { InResponseTo: undefined } }));
      for (const RelayState of [undefined, "https://app.example/", "x".repeat(81), "unknown"]) {
        const answer = await postResponse(request.consumer, { SAMLResponse, ...(RelayState && { RelayState }) });
        assert.equal(answer.status, 400);
        assert.match(await answer.text(), /This sign-in was not started here/);
      }
      for (const fields of [{ RelayState: request.relayState }, { SAMLResponse: "", RelayState: request.relayState }]) {
        const answer = await postResponse(request.consumer, fields as Record<string, string>);
        assert.equal(answer.status, 400);
        assert.match(await answer.text(), /Invalid request/);
      }
    });

    await t.test("an address that the provider does not vouch for is proven by a message first", async () => {
      const { browser, away } = await leave(redirecting);
      const request = await partner.read(away.address);
      const posted = await postResponse(request.consumer, {
        SAMLResponse: formField(await partner.answer(request, { subject: "person-3" })),
        RelayState: request.relayState,
      });
      const page = await browser.open(posted.headers.get("location") ?? "");
      assert.equal(page.address, "/ui/login/register/confirm");
    });

    await t.test("a provider that reports an error ends the attempt with a reason", async () => {
      const status = "urn:oasis:names:tc:SAML:2.0:status:Responder";
      const { browser, away } = await leave(redirecting);
      const request = await partner.read(away.address);
      const posted = await postResponse(request.consumer, {
        SAMLResponse: formField(await partner.answer(request, { status })),
        RelayState: request.relayState,
      });
      const page = await browser.open(posted.headers.get("location") ?? "");
      assert.match(page.address, /^\/ui\/login\/external/);
    });
  });

  both("attempts of applications at a SAML provider", async (t) => {
    const server = await start(t);
    const partner = await partnerOf(server, { attributes: `WantAuthnRequestsSigned="true"` });
    const idpId = await knowSaml(server, partner, { nameIdFormat: "SAML_NAME_ID_FORMAT_PERSISTENT" });

    await t.test("attributes are lists of values, and the assertion is there", async () => {
      const attributes = { mail: "ada@saml.example", groups: ["a", "b"], "urn:oid:2.5.4.42": "Ada" };
      const { idpInformation, addHumanUser } = await reported(
        server,
        await attemptWith(server, partner, idpId, { attributes }),
      );
      assert.deepEqual(idpInformation.rawInformation, {
        mail: ["ada@saml.example"],
        groups: ["a", "b"],
        "urn:oid:2.5.4.42": ["Ada"],
      });
      assert.deepEqual(
        [idpInformation.userId, idpInformation.userName, addHumanUser.profile.givenName],
        ["person-1", "ada@saml.example", "Ada"],
      );
      const assertion = await readXml(Buffer.from(idpInformation.saml.assertion, "base64"));
      assert.ok(isNamed(assertion, "saml", "Assertion"));
      assert.equal(childOf(assertion, "ds", "Signature"), undefined);
    });

    await t.test("the request is signed, as the metadata of the provider demands", async () => {
      const { body } = await server.rest("POST", "/v2/idp_intents", { body: { idpId, urls: pages } });
      const read = await readRedirect(new URL(body.authUrl).search.slice(1), "SAMLRequest");
      const raw = new X509Certificate(await certificateOf(server, idpId)).raw.toString("base64");
      verifyRedirect(read, { keys: [readCertificate(raw).key] });
      const message = await readXml(read.message);
      assert.equal(attributeOf(message, "ForceAuthn"), undefined);
      const policy = childOf(message, "samlp", "NameIDPolicy");
      assert.equal(policy && attributeOf(policy, "Format"), "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent");
    });

    await t.test("with POST, the application gets the form", async () => {
      const byPost = await knowSaml(server, partner, { binding: "SAML_BINDING_POST" });
      const { body } = await server.rest("POST", "/v2/idp_intents", { body: { idpId: byPost, urls: pages } });
      assert.equal(body.formData.url, "https://saml.example/sso");
      assert.deepEqual(Object.keys(body.formData.fields), ["SAMLRequest", "RelayState"]);
      await readXml(readPost(body.formData.fields.SAMLRequest, "request"));
      const request = await partner.read(body.formData.fields);
      await reported(server, await comeBackWith(request, await partner.answer(request)));
    });

    await t.test("assertions that are encrypted for us are read, also inside of a signed response", async () => {
      const encryptFor = new X509Certificate(await certificateOf(server, idpId)).raw.toString("base64");
      for (const signs of ["assertion", "response", "both"] as const) {
        await reported(server, await attemptWith(server, partner, idpId, { encryptFor, signs }));
      }
      const unsigned = await attemptWith(server, partner, idpId, { encryptFor, signs: "none" });
      assert.equal(await failureOf(server, unsigned), "token_refused unsigned");
      const other = await knowSaml(server, partner);
      const foreign = new X509Certificate(await certificateOf(server, other)).raw.toString("base64");
      const told = await attemptWith(server, partner, idpId, { encryptFor: foreign });
      assert.equal(await failureOf(server, told), "token_refused decryption");
    });

    await t.test("our key is replaced: its certificate, and what is encrypted for it", async () => {
      const own = await knowSaml(server, partner);
      const former = new X509Certificate(await certificateOf(server, own)).raw.toString("base64");
      await reported(server, await attemptWith(server, partner, own, { encryptFor: former }));
      const { status } = await server.rest("POST", `/admin/v1/idps/saml/${own}/_generate_certificate`, { body: {} });
      assert.equal(status, 200);
      const current = new X509Certificate(await certificateOf(server, own)).raw.toString("base64");
      assert.notEqual(current, former);
      const old = await attemptWith(server, partner, own, { encryptFor: former });
      assert.equal(await failureOf(server, old), "token_refused decryption");
      await reported(server, await attemptWith(server, partner, own, { encryptFor: current }));
      const absent = await server.rest("POST", "/admin/v1/idps/saml/1/_generate_certificate", { body: {} });
      assert.equal(absent.status, 404);
    });

    await t.test("a transient name identifies a user by the configured attribute, which has one value", async () => {
      const format = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
      const by = await knowSaml(server, partner, {
        nameIdFormat: "SAML_NAME_ID_FORMAT_TRANSIENT",
        transientMappingAttributeName: "uid",
      });
      const told = await attemptWith(server, partner, by, { format, subject: "_x", attributes: { uid: "ada" } });
      assert.equal((await reported(server, told)).idpInformation.userId, "ada");
      for (const attributes of [{}, { uid: ["ada", "bob"] }, { UID: "ada" }]) {
        const refused = await attemptWith(server, partner, by, { format, subject: "_x", attributes });
        assert.equal(await failureOf(server, refused), "subject_missing");
      }
    });

    await t.test("SHA-1 is accepted where the configuration says so", async () => {
      const old = await knowSaml(server, partner, { signatureAlgorithm: "SAML_SIGNATURE_RSA_SHA1" });
      await reported(server, await attemptWith(server, partner, old, { algorithm: "RSA-SHA1" }));
    });

    await t.test("our metadata names our addresses and certificate, and others' is absent", async () => {
      const answer = await fetch(`${server.origin}/idps/${idpId}/saml/metadata`);
      assert.equal(answer.headers.get("content-type"), "application/samlmetadata+xml; charset=utf-8");
      const { entityId, serviceProvider } = await readMetadata(await answer.text(), server.clock.now);
      assert.equal(entityId, `${server.origin}/idps/${idpId}/saml/metadata`);
      assert.deepEqual(
        serviceProvider?.assertionConsumers.map(({ location }) => location),
        [`${server.origin}/idps/${idpId}/saml/acs`],
      );
      assert.equal(serviceProvider?.signsRequests, true);
      for (const what of ["metadata", "certificate"]) {
        assert.equal((await fetch(`${server.origin}/idps/1/saml/${what}`)).status, 404);
      }
    });

    await t.test("metadata that cannot be used is refused with the field named", async () => {
      const add = async (body: object) => {
        const base = { name: "x", binding: "SAML_BINDING_REDIRECT" };
        const answer = await server.rest("POST", "/admin/v1/idps/saml", { body: { ...base, ...body } });
        return `${answer.status} ${answer.body.details?.[0]?.id}`;
      };
      const xmlOf = (text: string) => ({ metadataXml: Buffer.from(text).toString("base64") });
      const bad = "400 identity_provider.metadata_invalid";
      assert.equal(await add({}), "400 field.required");
      assert.equal(await add(xmlOf("<a/>")), bad);
      assert.equal(await add(xmlOf(`<!DOCTYPE a>${samlMetadata()}`)), bad);
      assert.equal(await add(xmlOf(samlMetadata({ certificates: [] }))), bad);
      assert.equal(await add(xmlOf(samlMetadata({ location: "javascript:alert(1)" }))), bad);
      assert.equal(await add(xmlOf(samlMetadata() + " ".repeat(140_000))), bad);
      const expired = samlMetadata({ attributes: `validUntil="2001-01-01T00:00:00Z"` });
      assert.equal(await add(xmlOf(expired)), "400 identity_provider.metadata_expired");
      const plain = xmlOf(samlMetadata({ location: "http://saml.example/sso" }));
      assert.equal(await add(plain), "400 identity_provider.address_forbidden");
      assert.equal(await add({ metadataUrl: "http://169.254.169.254/" }), "400 identity_provider.address_forbidden");
      assert.equal(await add({ metadataUrl: "saml.example" }), "400 identity_provider.address_invalid");
      assert.equal(await add({ ...xmlOf(samlMetadata()), binding: "SAML_BINDING_ARTIFACT" }), "400 field.invalid");
    });

    await t.test("a list of long metadata ends before its page is full", async () => {
      // Repetition packs well: what counts is the length of the answer.
      const long = samlMetadata().replace("<md:IDP", `${" ".repeat(125_000)}<md:IDP`);
      const ids: string[] = [];
      for (let index = 0; index < 3; index++) {
        ids.push(await knowSaml(server, partner, { metadataXml: Buffer.from(long).toString("base64") }));
      }
      const list = async () =>
        (await server.rest("POST", "/admin/v1/idps/templates/_search", { body: { query: { limit: 1000 } } })).body;
      const { result, details } = await list();
      const shown = result.filter(({ id }: { id: string }) => ids.includes(id));
      assert.equal(Buffer.from(shown[0].config.saml.metadataXml, "base64").toString(), long);
      assert.ok(shown.length < ids.length && Number(details.totalResult) > result.length, `${shown.length} shown`);
      for (const id of ids) await server.rest("DELETE", `/admin/v1/idps/templates/${id}`);
      assert.equal(Number((await list()).details.totalResult), (await list()).result.length);
    });

    await t.test("metadata at an address is fetched, and keys that change there are found", async (s) => {
      const receiver = await startReceiver(s);
      let served = partner.metadata;
      receiver.answer = (_, response) => void response.writeHead(200, { "content-type": "text/xml" }).end(served);
      const metadataUrl = `${receiver.origin}/metadata`;
      const published = await knowSaml(server, partner, { metadataXml: undefined, metadataUrl });
      const shown = (await server.rest("GET", `/v2/idps/${published}`)).body.idp.config.saml;
      assert.equal(shown.metadataUrl, metadataUrl);
      assert.equal(Buffer.from(shown.metadataXml, "base64").toString(), partner.metadata);
      await reported(server, await attemptWith(server, partner, published));
      const next = await partnerOf(server);
      served = next.metadata;
      server.clock.now += 11_000;
      await reported(server, await attemptWith(server, next, published));
      const old = await attemptWith(server, partner, published);
      assert.equal(await failureOf(server, old), "token_refused signature");
      // Another entity is another provider.
      served = (await partnerOf(server, { entityId: "https://mallory.example" })).metadata;
      server.clock.now += 16 * 60_000;
      const refused = await server.rest("POST", "/v2/idp_intents", { body: { idpId: published, urls: pages } });
      assert.equal(refused.body.details?.[0]?.id, "identity_intent.provider_unreachable");
      // What was fetched last serves while the address does not answer, and not what was stored before.
      receiver.answer = (_, response) => void response.writeHead(500).end();
      server.clock.now += 16 * 60_000;
      await reported(server, await attemptWith(server, next, published));
      const replaced = await attemptWith(server, partner, published);
      assert.equal(await failureOf(server, replaced), "token_refused signature");
      const gone = await server.rest("POST", "/admin/v1/idps/saml", {
        body: { name: "x", binding: "SAML_BINDING_POST", metadataUrl },
      });
      assert.equal(gone.body.details?.[0]?.id, "identity_provider.metadata_invalid");
    });

    await t.test("a deactivated provider accepts no answer", async () => {
      const request = await begin(server, partner, idpId);
      const { setProviderState } = await import("../../support/identity-provider/identity-providers.ts");
      await setProviderState(server, idpId, "inactive");
      const told = await comeBackWith(request, await partner.answer(request));
      assert.equal(await failureOf(server, told), "provider_unusable");
      await arrive(`${server.origin}/idps/${idpId}/saml/acs`);
    });
  });
});
