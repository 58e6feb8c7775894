import assert from "node:assert/strict";
import { addPerson } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import {
  consumer,
  decodeResponse,
  nodeSaml,
  partnerKey,
  pathOf,
  postedBy,
  register,
  signInAt,
  startNow,
  statusesOf,
} from "./support.ts";

serversInTurn((start, test, both) => {
  test("a user signs in to a service provider of another library, by redirect, and is signed in the next time", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const { entityId } = await register(server);
    const sp = await nodeSaml(server, entityId);
    const address = await sp.getAuthorizeUrlAsync('where<to>&"', undefined, {});
    const { browser, page } = await signInAt(server, address, ada);
    const { target, fields } = postedBy(page);
    assert.equal(target, consumer);
    assert.equal(fields["RelayState"], 'where<to>&"');
    const policy = page.headers.get("content-security-policy") ?? "";
    assert.match(policy, /form-action https:\/\/sp\.example(;|$)/);
    assert.doesNotMatch(policy, /unsafe-inline/);
    const { profile } = await sp.validatePostResponseAsync(fields);
    assert.equal(profile?.nameID, ada.loginName);
    assert.equal(profile?.nameIDFormat, "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress");
    assert.equal(profile?.["Email"], "ada@mail.example");
    assert.equal(profile?.["FirstName"], "ada");
    assert.equal(profile?.["SurName"], "Example");
    assert.equal(profile?.["FullName"], "ada Example");
    assert.equal(profile?.["UserName"], ada.loginName);
    assert.equal(profile?.["UserID"], ada.userId);
    assert.match(
      decodeResponse(fields),
      /AuthnContextClassRef>urn:oasis:names:tc:SAML:2\.0:ac:classes:PasswordProtectedTransport</,
    );
    // Single sign-on: no question the second time.
    const again = await browser.open(pathOf(await sp.getAuthorizeUrlAsync("", undefined, {})));
    const second = await sp.validatePostResponseAsync(postedBy(again).fields);
    assert.equal(second.profile?.nameID, ada.loginName);
    assert.equal(second.profile?.sessionIndex, profile?.sessionIndex);
    const issued = (await recordedEvents(server)).filter(({ type }) => type === "saml_assertion.issued");
    assert.equal(issued.length, 2);
    assert.equal(issued[0]?.payload["userId"], ada.userId);
  });

  test("a service provider of another library decrypts its assertions", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const { der: encryption, privateKey: decryptionPvk } = await partnerKey();
    const { entityId } = await register(server, { encryption }, { options: { encryptAssertions: true } });
    const sp = await nodeSaml(server, entityId, { decryptionPvk });
    const { page } = await signInAt(server, await sp.getAuthorizeUrlAsync("", undefined, {}), ada);
    const { fields } = postedBy(page);
    assert.match(decodeResponse(fields), /<saml:EncryptedAssertion/);
    const { profile } = await sp.validatePostResponseAsync(fields);
    assert.deepEqual([profile?.nameID, profile?.["UserID"]], [ada.loginName, ada.userId]);
  });

  both("a request that was answered is refused, as is one that waited too long", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const { entityId } = await register(server);
    const sp = await nodeSaml(server, entityId);
    const address = await sp.getAuthorizeUrlAsync("", undefined, {});
    const { browser, page } = await signInAt(server, address, ada);
    assert.deepEqual(statusesOf(decodeResponse(postedBy(page).fields)), ["Success"]);
    const replayed = await browser.open(pathOf(address));
    assert.equal(replayed.status, 400);
    assert.equal(
      replayed.forms.some(({ action }) => action === consumer),
      false,
    );
    const elsewhere = await new TestBrowser(server).open(pathOf(address));
    assert.equal(elsewhere.status, 400);
    // However many tabs send it at once, one gets an answer.
    const raced = pathOf(await sp.getAuthorizeUrlAsync("", undefined, {}));
    const seen = await Promise.all([1, 2, 3, 4, 5].map(() => browser.copy().open(raced)));
    assert.deepEqual(seen.map(({ status }) => status).toSorted(), [200, 400, 400, 400, 400]);
    const late = await sp.getAuthorizeUrlAsync("", undefined, {});
    server.clock.now += 11 * 60_000;
    assert.equal((await browser.open(pathOf(late))).status, 400);
  });
});
