import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { nameIdFormats, writeRedirect, xml } from "../../src/base/saml/index.ts";
import { addPerson } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import type { TestBrowser } from "../support/sign-in/test-browser.ts";
import {
  decodeResponse,
  logoutAddress,
  logoutService,
  nodeSaml,
  partnerKey,
  pathOf,
  postedBy,
  register,
  signInAt,
  startNow,
  statusesOf,
} from "./support.ts";

/** A service provider of a user in a browser, which can ask for the end of sessions. */
async function enter(server: TestServer, options: object = {}) {
  const key = await partnerKey();
  const logout = logoutService("HTTP-POST", logoutAddress);
  const { entityId } = await register(server, { keys: [key.der], logout }, { options });
  const person = await addPerson(server, { username: "ada" });
  const sp = await nodeSaml(server, entityId);
  const address = () => sp.getAuthorizeUrlAsync("", undefined, {});
  const { browser, page } = await signInAt(server, await address(), person);
  let count = 0;
  /** Returns the address of a signed request. */
  const request = (nameId: string, { indexes = [] as readonly string[], values = {} } = {}): Promise<string> => {
    const destination = `${server.origin}/saml/v2/SLO`;
    const IssueInstant = new Date(server.clock.now).toISOString();
    const ID = `_request-${++count}`;
    const message = xml(
      "samlp:LogoutRequest",
      { ID, Version: "2.0", IssueInstant, Destination: destination, ...values },
      [
        xml("saml:Issuer", {}, [entityId]),
        xml("saml:NameID", { Format: nameIdFormats.unspecified }, [nameId]),
        ...indexes.map((index) => xml("samlp:SessionIndex", {}, [index])),
      ],
    );
    const signer = { key: createPrivateKey(key.privateKey), certificate: key.der, algorithm: "RSA-SHA256" } as const;
    return writeRedirect({ destination, parameter: "SAMLRequest", message, signer });
  };
  const again = async (): Promise<string> =>
    decodeResponse(postedBy(await browser.open(pathOf(await address()))).fields);
  const isSignedIn = async (): Promise<boolean> =>
    (await browser.open(pathOf(await address()))).html.includes("SAMLResponse");
  return { person, browser, address, xml: decodeResponse(postedBy(page).fields), request, again, isSignedIn };
}

const named = (text: string): string => /<saml:NameID[^>]*>([^<]+)</.exec(text)?.[1] ?? assert.fail(text);
const indexed = (text: string): string => /SessionIndex="([^"]+)"/.exec(text)?.[1] ?? assert.fail(text);

/** Opens the address of a request, and returns the status codes of the answer. */
async function statusesAt(browser: TestBrowser, address: string): Promise<readonly string[]> {
  const page = await browser.open(pathOf(address));
  return page.status === 400 ? ["page"] : statusesOf(decodeResponse(postedBy(page).fields));
}

serversInTurn((start, test) => {
  test("a request to end the sessions of a browser ends no later session", async (t) => {
    const server = await startNow(start, t);
    const { person, browser, address, xml: text, request, isSignedIn } = await enter(server);
    const old = await request(named(text));
    assert.deepEqual(await statusesAt(browser, old), ["Success"]);
    assert.equal(await isSignedIn(), false);
    server.clock.now += 60_000;
    await signInAt(server, await address(), person, browser);
    assert.deepEqual(await statusesAt(browser, old), ["Responder", "UnknownPrincipal"]);
    assert.equal(await isSignedIn(), true);
    assert.deepEqual(await statusesAt(browser, await request(named(text))), ["Success"]);
    assert.equal(await isSignedIn(), false);
  });

  test("a request has to name this endpoint", async (t) => {
    const server = await startNow(start, t);
    const { browser, xml: text, request, isSignedIn } = await enter(server);
    for (const Destination of [undefined, "", "https://other.example/saml/v2/SLO"]) {
      assert.deepEqual(await statusesAt(browser, await request(named(text), { values: { Destination } })), ["page"]);
    }
    assert.equal(await isSignedIn(), true);
  });

  test("a request for a name that no session here has is no success", async (t) => {
    const server = await startNow(start, t);
    const {
      browser,
      xml: text,
      request,
      again,
      isSignedIn,
    } = await enter(server, { nameId: "SAML_NAME_ID_TRANSIENT" });
    const second = await again();
    const indexes = [indexed(second)];
    assert.equal(indexed(text), indexed(second));
    // The session has the name of the last sign-in.
    assert.deepEqual(await statusesAt(browser, await request(named(text))), ["Responder", "UnknownPrincipal"]);
    assert.deepEqual(await statusesAt(browser, await request(named(text), { indexes })), [
      "Responder",
      "UnknownPrincipal",
    ]);
    const known = await request(named(second), { indexes });
    assert.deepEqual(await statusesAt(browser, known), ["Success"]);
    assert.deepEqual(await statusesAt(browser, known), ["Success"], "it has ended");
    assert.equal(await isSignedIn(), false);
  });
});
