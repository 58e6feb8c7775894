import assert from "node:assert/strict";
import { addPerson, type Person } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import {
  consumer,
  decodeResponse,
  nodeSaml,
  type PartnerOptions,
  partnerKey,
  pathOf,
  postedBy,
  register,
  signInAt,
  startNow,
  statusesOf,
} from "./support.ts";

type Config = Parameters<typeof nodeSaml>[2];

/** Registers a service provider and signs a user in to it. */
async function answer(
  server: TestServer,
  person: Person,
  { partner = {}, options, config = {} }: { partner?: PartnerOptions; options?: object; config?: Config },
) {
  const { entityId, applicationId } = await register(server, partner, options === undefined ? {} : { options });
  const sp = await nodeSaml(server, entityId, config);
  const { browser, page } = await signInAt(server, await sp.getAuthorizeUrlAsync("", undefined, {}), person);
  const { fields } = postedBy(page);
  return { sp, browser, fields, entityId, applicationId, xml: decodeResponse(fields) };
}

const profileOf = async ({ sp, fields }: Pick<Awaited<ReturnType<typeof answer>>, "sp" | "fields">) => {
  const { profile } = await sp.validatePostResponseAsync(fields);
  assert.ok(profile);
  return profile;
};

const format = (version: string, name: string): string => `urn:oasis:names:tc:SAML:${version}:nameid-format:${name}`;

serversInTurn((start, test) => {
  test("users are identified as the service provider asks, unless the application says otherwise", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const named = async (given: Parameters<typeof answer>[2]) => profileOf(await answer(server, ada, given));
    const persistent = { config: { identifierFormat: format("2.0", "persistent") } };
    const [one, other] = [await named(persistent), await named(persistent)];
    assert.equal(one.nameIDFormat, format("2.0", "persistent"));
    // Pairwise: two applications cannot compare their users.
    assert.notEqual(one.nameID, other.nameID);
    assert.ok(!one.nameID.includes(ada.userId) && !one.nameID.includes("ada"));
    const transient = await named({ config: { identifierFormat: format("2.0", "transient") } });
    assert.equal(transient.nameIDFormat, format("2.0", "transient"));
    const unsaid = { identifierFormat: null };
    assert.equal((await named({ config: unsaid })).nameID, ada.loginName);
    const byMetadata = await named({ config: unsaid, partner: { formats: [format("2.0", "persistent")] } });
    assert.equal(byMetadata.nameIDFormat, format("2.0", "persistent"));
    const byId = await named({ options: { nameId: "SAML_NAME_ID_USER_ID" } });
    assert.equal(byId.nameID, ada.userId);
    // The same user has the same name each time.
    const repeated = await answer(server, ada, persistent);
    const first = await profileOf(repeated);
    const again = await repeated.browser.open(pathOf(await repeated.sp.getAuthorizeUrlAsync("", undefined, {})));
    assert.equal((await profileOf({ sp: repeated.sp, fields: postedBy(again).fields })).nameID, first.nameID);
  });

  test("a format that is not supported is an error for the service provider", async (t) => {
    const server = await startNow(start, t);
    const { entityId } = await register(server);
    const sp = await nodeSaml(server, entityId, { identifierFormat: format("1.1", "X509SubjectName") });
    const page = await new TestBrowser(server).open(pathOf(await sp.getAuthorizeUrlAsync("state", undefined, {})));
    const { target, fields } = postedBy(page);
    assert.equal(target, consumer);
    assert.equal(fields["RelayState"], "state");
    assert.deepEqual(statusesOf(decodeResponse(fields)), ["Requester", "InvalidNameIDPolicy"]);
    await assert.rejects(sp.validatePostResponseAsync(fields));
  });

  test("attributes are those of the application, and what an address does not prove is left out", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    await server.rest("POST", `/v2/users/${ada.userId}/metadata`, {
      body: { metadata: [{ key: "team", value: Buffer.from("<b>&amp;\u0001").toString("base64") }] },
    });
    const attributes = [
      { name: "mail", source: "SAML_ATTRIBUTE_SOURCE_EMAIL" },
      { name: "urn:oid:2.5.4.42", friendlyName: "givenName", source: "SAML_ATTRIBUTE_SOURCE_GIVEN_NAME" },
      { name: "team", source: "SAML_ATTRIBUTE_SOURCE_METADATA", metadataEntry: "team" },
      { name: "org", source: "SAML_ATTRIBUTE_SOURCE_ORGANIZATION_ID" },
      { name: "phone", source: "SAML_ATTRIBUTE_SOURCE_PHONE" },
    ];
    const options = { attributes: { attributes } };
    const answered = await answer(server, ada, { options });
    const profile = await profileOf(answered);
    assert.equal(profile["mail"], "ada@mail.example");
    assert.equal(profile["urn:oid:2.5.4.42"], "ada");
    // Markup is text, and what XML cannot contain is replaced.
    assert.equal(profile["team"], "<b>&amp;\ufffd");
    assert.equal(profile["org"], ada.organizationId);
    assert.equal("phone" in profile, false);
    assert.equal("UserID" in profile, false);
    assert.ok(answered.xml.includes('FriendlyName="givenName"'));
    await server.rest("POST", `/v2/users/${ada.userId}/email`, { body: { email: "new@mail.example", sendCode: {} } });
    assert.equal("mail" in (await profileOf(await answer(server, ada, { options }))), false);
  });

  test("assertions are encrypted for the service provider where the application says so", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const key = await partnerKey();
    const answered = await answer(server, ada, {
      partner: { encryption: key.der },
      options: { encryptAssertions: true },
      config: { decryptionPvk: key.privateKey },
    });
    assert.ok(answered.xml.includes("<saml:EncryptedAssertion"));
    assert.ok(!answered.xml.includes(ada.loginName) && !answered.xml.includes(ada.userId));
    assert.equal((await profileOf(answered)).nameID, ada.loginName);
  });

  test("a passive request is never asked, and a forced one always is", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const { entityId } = await register(server);
    const passive = await nodeSaml(server, entityId, { passive: true });
    const open = async (browser: TestBrowser, sp: Awaited<ReturnType<typeof nodeSaml>>) =>
      browser.open(pathOf(await sp.getAuthorizeUrlAsync("", undefined, {})));
    const stranger = postedBy(await open(new TestBrowser(server), passive));
    assert.deepEqual(statusesOf(decodeResponse(stranger.fields)), ["Responder", "NoPassive"]);
    const { browser } = await signInAt(
      server,
      await (await nodeSaml(server, entityId)).getAuthorizeUrlAsync("", undefined, {}),
      ada,
    );
    assert.deepEqual(statusesOf(decodeResponse(postedBy(await open(browser, passive)).fields)), ["Success"]);
    server.clock.now += 1_000;
    const forced = await nodeSaml(server, entityId, { forceAuthn: true });
    assert.match((await open(browser, forced)).address, /^\/ui\/login/);
    const both = await nodeSaml(server, entityId, { forceAuthn: true, passive: true });
    assert.deepEqual(statusesOf(decodeResponse(postedBy(await open(browser, both)).fields)), [
      "Responder",
      "NoPassive",
    ]);
  });

  test("a sign-in says no more than it proved, and a stronger one can be asked for", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const refeds = "https://refeds.org/profile/mfa";
    const { entityId } = await register(server);
    const sp = await nodeSaml(server, entityId, { authnContext: [refeds] });
    const { page } = await signInAt(server, await sp.getAuthorizeUrlAsync("", undefined, {}), ada);
    // A password is not enough: the login goes on with a second factor.
    assert.match(page.address, /^\/ui\/login\/add-factor/);
    assert.ok(!page.html.includes("SAMLResponse"));
    const unknown = await nodeSaml(server, entityId, { authnContext: ["urn:example:iris"] });
    const refused = await new TestBrowser(server).open(pathOf(await unknown.getAuthorizeUrlAsync("", undefined, {})));
    assert.deepEqual(statusesOf(decodeResponse(postedBy(refused).fields)), ["Responder", "NoAuthnContext"]);
  });

  test("the user can return without signing in", async (t) => {
    const server = await startNow(start, t);
    const { entityId } = await register(server);
    const sp = await nodeSaml(server, entityId);
    const browser = new TestBrowser(server);
    const page = await browser.open(pathOf(await sp.getAuthorizeUrlAsync("", undefined, {})));
    const back = await browser.submit(page, {}, { action: "/ui/login/return" });
    assert.deepEqual(statusesOf(decodeResponse(postedBy(back).fields)), ["Responder", "AuthnFailed"]);
  });

  test("a user begins at this server only where the application allows it", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const allowed = await register(server, {}, { options: { allowIdpInitiated: true } });
    const closed = await register(server);
    const address = ({ applicationId }: { applicationId: string }): string =>
      `${server.origin}/saml/v2/start?${new URLSearchParams({ application: applicationId, RelayState: "deep" })}`;
    const { browser, page } = await signInAt(server, address(allowed), ada);
    const { fields } = postedBy(page);
    assert.equal(fields["RelayState"], "deep");
    assert.ok(!decodeResponse(fields).includes("InResponseTo"));
    const sp = await nodeSaml(server, allowed.entityId);
    assert.equal((await sp.validatePostResponseAsync(fields)).profile?.nameID, ada.loginName);
    for (const other of [address(closed), address({ applicationId: "1" })]) {
      const refused = await browser.open(pathOf(other));
      assert.equal(refused.status, 400);
      assert.ok(!refused.html.includes("SAMLResponse"));
    }
  });
});
