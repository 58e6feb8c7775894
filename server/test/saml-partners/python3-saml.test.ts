import assert from "node:assert/strict";
import { test } from "node:test";
import { partnerKey, pathOf, postedBy, register, signInAt } from "../saml/support.ts";
import { fetch } from "../support/http/fetch.ts";
import { addPerson } from "../support/people/people.ts";
import { startServer } from "../support/servers/server.ts";
import type { TestBrowser } from "../support/sign-in/test-browser.ts";
import { changeInAddress, changePosted, queryOf, signOutHere } from "./support/messages.ts";
import { reasonWithoutPython, startPython } from "./support/python.ts";

const origin = "https://sp.example";
const skip = reasonWithoutPython("onelogin.saml2", "python3-onelogin-saml2");

test("a service provider of python3-saml", { skip }, async (t) => {
  const sp = startPython(t, "python3_saml_program.py");
  const server = await startServer(t, { now: Date.now() });
  const ada = await addPerson(server, { username: "ada" });
  const { privateKey: key, certificate } = await partnerKey();
  const document = await sp("create", { origin, key, certificate });
  await register(
    server,
    { entityId: `${origin}/metadata`, document },
    { options: { encryptAssertions: true, requireSignedRequests: true } },
  );
  const metadata = await (await fetch(`${server.origin}/saml/v2/metadata`)).text();
  await sp("create", { origin, key, certificate, metadata });

  /** Signs in there, in a new browser or in one that is signed in here. */
  const signIn = async (known?: TestBrowser) => {
    const { location, id } = await sp("sign_in");
    const { browser, page } =
      known === undefined
        ? await signInAt(server, location, ada)
        : { browser: known, page: await known.open(pathOf(location)) };
    const { fields } = postedBy(page);
    return { browser, fields, id, said: await sp("read_sign_in", { form: fields, request_id: id }) };
  };
  const isSignedIn = async (browser: TestBrowser): Promise<boolean> => {
    const { address } = await browser.open(pathOf((await sp("sign_in")).location));
    return !address.startsWith("/ui/login");
  };

  await t.test("signs a user in: a signed request, an encrypted assertion, valid by the schemas", async () => {
    const { browser, said, fields } = await signIn();
    assert.equal(fields["RelayState"], "where");
    assert.equal(said.format, "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent");
    assert.deepEqual(said.attributes["Email"], ["ada@mail.example"]);
    assert.deepEqual(said.attributes["UserID"], [ada.userId]);
    const again = await signIn(browser);
    assert.equal(again.said.nameId, said.nameId);
    assert.equal(again.said.sessionIndex, said.sessionIndex);
  });

  await t.test("signs the user out here, and reads our signed answer", async () => {
    const { browser, said } = await signIn();
    const { nameId: name_id, format: name_format, sessionIndex: session_index } = said;
    const { location, id } = await sp("sign_out", { name_id, name_format, session_index });
    const back = await browser.open(pathOf(location));
    assert.ok(back.address.startsWith(`${origin}/slo?SAMLResponse=`), back.address);
    assert.deepEqual(await sp("end", { query: queryOf(back.address), request_id: id }), {
      location: null,
      hasEnded: true,
    });
    assert.equal(await isSignedIn(browser), false);
  });

  await t.test("is told when the user signs out here, and sends the browser back", async () => {
    const { browser } = await signIn();
    const there = await signOutHere(browser);
    assert.ok(there.address.startsWith(`${origin}/slo?SAMLRequest=`), there.address);
    const { location, hasEnded } = await sp("end", { query: queryOf(there.address) });
    assert.equal(hasEnded, true);
    assert.equal((await browser.open(pathOf(location))).address, "/ui/logout/done");
  });

  await t.test("refuses what was changed on its way, and so do we", async () => {
    const { browser, fields, id } = await signIn();
    const SAMLResponse = changePosted(
      fields["SAMLResponse"] ?? "",
      /IssueInstant="[^"]*"/,
      'IssueInstant="2026-01-01T00:00:00Z"',
    );
    await assert.rejects(
      sp("read_sign_in", { form: { ...fields, SAMLResponse }, request_id: id }),
      /Signature validation failed/,
    );
    const { location } = await sp("sign_in");
    const forged = changeInAddress(location, "SAMLRequest", "persistent", "transient");
    assert.equal((await browser.open(pathOf(forged))).status, 400);
    assert.equal((await browser.open(pathOf(location))).status, 200);
    const there = await signOutHere(browser);
    const query = queryOf(changeInAddress(there.address, "SAMLRequest", /(?<=IssueInstant="\d{3})\d/, "0"));
    await assert.rejects(sp("end", { query }), /Signature validation failed/);
  });
});
