import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { accountIn } from "../identity-provider/saml/logouts.ts";
import { knowSaml, postResponse } from "../identity-provider/saml/support.ts";
import { openOptions } from "../identity-provider/trusted.ts";
import { partnerKey, pathOf, postedBy, register, signInAt } from "../saml/support.ts";
import { fetch } from "../support/http/fetch.ts";
import { addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { startServer } from "../support/servers/server.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { changeInAddress, changePosted, formIn, queryOf, signOutHere } from "./support/messages.ts";
import { reasonWithoutPython, startPython } from "./support/python.ts";

const skip = reasonWithoutPython("saml2", "python3-pysaml2");

test("pysaml2", { skip }, async (t) => {
  const program = startPython(t, "pysaml2_program.py");
  const server = await startServer(t, { now: Date.now() });
  const directory = await keysIn(t);
  const textAt = async (path: string): Promise<string> => (await fetch(server.origin + path)).text();

  await t.test("as a service provider", async (t) => {
    const origin = "https://sp.example";
    const ada = await addPerson(server, { username: "ada" });
    const document = await program("create_sp", { directory, origin });
    await register(server, { entityId: `${origin}/metadata`, document }, { options: { encryptAssertions: true } });
    await program("create_sp", { directory, origin, metadata: await textAt("/saml/v2/metadata") });

    const signIn = async () => {
      const { location, id } = await program("sign_in", { binding: "redirect" });
      const { browser, page } = await signInAt(server, location, ada);
      const { fields } = postedBy(page);
      const said = await program("read_sign_in", { response: fields["SAMLResponse"], request_id: id });
      return { browser, fields, said, id };
    };
    const isSignedIn = async (browser: TestBrowser): Promise<boolean> =>
      !(await browser.open(pathOf((await program("sign_in", { binding: "redirect" })).location))).address.startsWith(
        "/ui/login",
      );

    await t.test("signs a user in: a signed request by redirect, an encrypted assertion", async () => {
      const { said, fields } = await signIn();
      assert.equal(fields["RelayState"], "where");
      assert.equal(said.nameId, ada.loginName);
      assert.deepEqual(said.attributes["Email"], ["ada@mail.example"]);
      assert.deepEqual(said.attributes["UserID"], [ada.userId]);
    });

    await t.test("signs a user in by a request that is posted", async () => {
      const { page, id } = await program("sign_in", { binding: "post" });
      const browser = new TestBrowser(server);
      const { action, fields } = formIn(page);
      // Our cookies come with the form that our page posts again.
      const answer = await browser.submit(await browser.postFrom(origin, pathOf(action), fields));
      assert.ok(answer.address.startsWith("/ui/login?"), answer.html);
      const shown = await browser.submit(answer, { login_name: ada.loginName }, { action: "/ui/login" });
      const end = await browser.submit(shown, { password: ada.password }, { action: "/ui/login/password" });
      const response = postedBy(end).fields["SAMLResponse"];
      assert.equal((await program("read_sign_in", { response, request_id: id })).nameId, ada.loginName);
    });

    await t.test("signs the user out here, and reads our signed answer", async () => {
      const { browser, said } = await signIn();
      const back = await browser.open(pathOf((await program("sign_out", { name: said.name })).location));
      assert.ok(back.address.startsWith(`${origin}/slo?SAMLResponse=`), back.address);
      assert.equal(await program("read_sign_out", { query: queryOf(back.address) }), "200 Ok");
      assert.equal(await isSignedIn(browser), false);
    });

    await t.test("is told when the user signs out here, and sends the browser back", async () => {
      const { browser, said } = await signIn();
      const there = await signOutHere(browser);
      assert.ok(there.address.startsWith(`${origin}/slo?SAMLRequest=`), there.address);
      const { location, isSignedIn } = await program("answer_sign_out", {
        name: said.name,
        query: queryOf(there.address),
      });
      assert.equal(isSignedIn, false);
      const end = await browser.open(pathOf(location));
      assert.equal(end.address, "/ui/logout/done", end.html);
    });

    await t.test("refuses what was changed on its way, and so do we", async () => {
      const { fields, id } = await signIn();
      const response = changePosted(fields["SAMLResponse"] ?? "", /(?<=IssueInstant="\d{3})\d/, "0");
      await assert.rejects(program("read_sign_in", { response, request_id: id }), /SignatureError/);
      const { location } = await program("sign_in", { binding: "redirect" });
      const browser = new TestBrowser(server);
      const forged = changeInAddress(location, "SAMLRequest", "Version=", 'IsPassive="true" Version=');
      assert.equal((await browser.open(pathOf(forged))).status, 400);
      assert.equal((await browser.open(pathOf(location))).status, 200);
    });
  });

  await t.test("as an identity provider", async (t) => {
    const origin = "https://idp.example";
    const document = await program("create_idp", { directory, origin });
    const providerOptions = { ...openOptions, isAutoCreation: true };
    const body = {
      metadataXml: Buffer.from(document).toString("base64"),
      withSignedRequest: true,
      federatedLogoutEnabled: true,
      providerOptions,
    };
    const redirecting = await knowSaml(server, { metadata: document }, body);
    const posting = await knowSaml(server, { metadata: document }, { ...body, binding: "SAML_BINDING_POST" });
    await changeSettings(server, "login", { identityProviderIds: [redirecting, posting] });
    /** Makes it the identity provider of one of our providers, which each are a service provider of their own. */
    const trust = async (idpId: string) =>
      program("create_idp", { directory, origin, metadata: await textAt(`/idps/${idpId}/saml/metadata`) });
    const user = (id: string) => ({
      id,
      attributes: { mail: [`${id}@mail.example`], givenName: [id], sn: ["Example"], email_verified: ["true"] },
    });
    /** Our request as the browser brings it. */
    const askedBy = (page: ShownPage) =>
      page.forms[0] === undefined
        ? { query: queryOf(page.address) }
        : { form: Object.fromEntries(page.forms[0].values) };
    /** Presses the button of a provider, signs in there, and returns where the browser comes back to. */
    const answerOf = async (idpId: string, id: string, given: { encrypted?: boolean; change?: boolean } = {}) => {
      const browser = new TestBrowser(server);
      const page = await browser.open("/ui/login?account=other");
      const asked = askedBy(await browser.submit(page, { provider: idpId }, { action: "/ui/login/provider" }));
      const { encrypted = false } = given;
      const document: string = await program("idp_sign_in", { ...asked, user: user(id), encrypted });
      const answer = given.change === true ? document.replaceAll("bob", "eve") : document;
      const { RelayState = "" } = asked.query ?? asked.form;
      const SAMLResponse = Buffer.from(answer).toString("base64");
      const posted = await postResponse(`${server.origin}/idps/${idpId}/saml/acs`, { SAMLResponse, RelayState });
      return { browser, page: await browser.open(posted.headers.get("location") ?? "") };
    };
    const isSignedIn = async (browser: TestBrowser): Promise<boolean> => (await accountIn(browser)) !== "";

    await t.test(
      "signs a user in by a signed request, by redirect or posted, also with an encrypted assertion",
      async () => {
        await trust(posting);
        for (const encrypted of [false, true]) {
          const { page } = await answerOf(posting, "carol", { encrypted });
          assert.equal(page.address, "/ui/login/signed-in", page.html);
        }
        await trust(redirecting);
        for (const encrypted of [false, true]) {
          const { page } = await answerOf(redirecting, "bob", { encrypted });
          assert.equal(page.address, "/ui/login/signed-in", page.html);
        }
      },
    );

    await t.test("is told when the user signs out here, and sends the browser back", async () => {
      const { browser } = await answerOf(redirecting, "bob");
      const there = await signOutHere(browser);
      assert.ok(there.address.startsWith(`${origin}/slo?SAMLRequest=`), there.address);
      const { location, nameId } = await program("idp_answer_sign_out", { query: queryOf(there.address) });
      assert.equal(nameId, "bob");
      assert.equal((await browser.open(pathOf(location))).address, "/ui/logout/done");
      assert.equal(await isSignedIn(browser), false);
    });

    await t.test("signs the user out here, and reads our signed answer", async () => {
      const { browser } = await answerOf(redirecting, "bob");
      assert.equal(await isSignedIn(browser), true);
      const base = `${server.origin}/idps/${redirecting}/saml`;
      const given = { user_id: "bob", entity_id: `${base}/metadata`, destination: `${base}/slo` };
      const { location } = await program("idp_sign_out", given);
      const forged = changeInAddress(location, "SAMLRequest", "bob", "eve");
      assert.equal((await browser.open(pathOf(forged))).status, 400);
      assert.equal(await isSignedIn(browser), true);
      const back = await browser.open(pathOf(location));
      assert.ok(back.address.startsWith(`${origin}/slo?SAMLResponse=`), back.address);
      assert.equal(await program("idp_read_sign_out", { query: queryOf(back.address) }), true);
      assert.equal(await isSignedIn(browser), false);
    });

    await t.test("a changed assertion is refused, and so is a changed request", async () => {
      const { page } = await answerOf(redirecting, "bob", { change: true });
      assert.match(page.alert ?? "", /token of the identity provider cannot be accepted/);
      const browser = new TestBrowser(server);
      const login = await browser.open("/ui/login?account=other");
      const { address } = await browser.submit(login, { provider: redirecting }, { action: "/ui/login/provider" });
      const query = queryOf(changeInAddress(address, "SAMLRequest", "/acs", "/out"));
      await assert.rejects(
        program("idp_sign_in", { query, user: user("bob"), encrypted: false }),
        /signature is not good/,
      );
    });
  });
});

/** Writes the key of the tests where pysaml2 finds it. */
async function keysIn(t: TestContext): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "doorward-pysaml2-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const { privateKey, certificate } = await partnerKey();
  writeFileSync(join(directory, "key.pem"), privateKey, { mode: 0o600 });
  writeFileSync(join(directory, "cert.pem"), certificate);
  return directory;
}
