import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { endpointPaths } from "../../src/web/index.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { addPerson } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import type { TestServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import {
  logoutAddress,
  logoutService,
  makeKey,
  nodeSaml,
  type PartnerOptions,
  partnerKey,
  pathOf,
  postedBy,
  register,
  signInAt,
  startNow,
} from "./support.ts";

type Signed = Awaited<ReturnType<typeof enter>>;

/** A service provider that signs, and a browser that is signed in to it. */
async function enter(
  server: TestServer,
  {
    person,
    browser,
    ...partner
  }: PartnerOptions & { readonly person?: Parameters<typeof signInAt>[2]; readonly browser?: TestBrowser },
) {
  const key = await partnerKey();
  const { entityId, applicationId } = await register(server, {
    keys: [key.der],
    logout: logoutService("HTTP-Redirect", logoutAddress),
    ...partner,
  });
  const signs = partner.keys?.length !== 0;
  const sp = await nodeSaml(server, entityId, signs ? { privateKey: key.privateKey } : {});
  const address = await sp.getAuthorizeUrlAsync("", undefined, {});
  const signed =
    browser === undefined && person !== undefined
      ? await signInAt(server, address, person)
      : { browser: browser ?? assert.fail(), page: await (browser ?? assert.fail()).open(pathOf(address)) };
  const { profile } = await sp.validatePostResponseAsync(postedBy(signed.page).fields);
  assert.ok(profile);
  return { entityId, applicationId, sp, profile, browser: signed.browser };
}

const isSignedIn = async ({ sp, browser }: Pick<Signed, "sp" | "browser">): Promise<boolean> =>
  (await browser.open(pathOf(await sp.getAuthorizeUrlAsync("", undefined, { additionalParams: {} })))).forms.some(
    ({ action }) => action.startsWith("https://sp.example/"),
  );

const noticeEvents = async (server: TestServer): Promise<string[]> =>
  (await recordedEvents(server))
    .filter(({ aggregateType }) => aggregateType === "logout_notice")
    .map(({ type, payload }) => [type, payload["failure"]].filter((word) => word !== undefined).join(" "));

eachServer((start) => {
  test("a service provider ends the session of its user by a signed request, and gets a signed response", async (t) => {
    const server = await startNow(start, t);
    const signed = await enter(server, { person: await addPerson(server, { username: "ada" }) });
    assert.equal(await isSignedIn(signed), true);
    const { sp, profile, browser } = signed;
    const end = await browser.open(pathOf(await sp.getLogoutUrlAsync(profile, "state", {})));
    assert.ok(end.address.startsWith(`${logoutAddress}?`), end.address);
    const query = Object.fromEntries(new URL(end.address).searchParams);
    assert.equal(query["RelayState"], "state");
    const { loggedOut } = await sp.validateRedirectAsync(query, new URL(end.address).search.slice(1));
    assert.equal(loggedOut, true);
    assert.equal(await isSignedIn(signed), false);
    // It ended the session itself, so it is not told.
    assert.deepEqual(await noticeEvents(server), []);
  });

  test("a request to end a session is refused with another key's signature, and asks the user without any", async (t) => {
    const server = await startNow(start, t);
    const person = await addPerson(server, { username: "ada" });
    const signed = await enter(server, { person });
    const { entityId, profile, browser } = signed;
    const forged = await nodeSaml(server, entityId, { privateKey: (await makeKey()).privateKey });
    assert.equal((await browser.open(pathOf(await forged.getLogoutUrlAsync(profile, "", {})))).status, 400);
    const unsigned = await nodeSaml(server, entityId);
    assert.equal((await browser.open(pathOf(await unsigned.getLogoutUrlAsync(profile, "", {})))).status, 400);
    assert.equal(await isSignedIn(signed), true);
    // One without keys can prove nothing: the user decides.
    const keyless = await enter(server, { browser, keys: [] });
    const plain = await nodeSaml(server, keyless.entityId);
    const asked = await browser.open(pathOf(await plain.getLogoutUrlAsync(keyless.profile, "", {})));
    assert.equal(asked.address, "/ui/logout");
    assert.equal(await isSignedIn(signed), true);
    // Neither the name of another user, nor one that another service provider was given, ends anything.
    const other = await enter(server, { browser });
    const wrong = { ...other.profile, nameID: "someone@else.example" };
    await browser.open(pathOf(await other.sp.getLogoutUrlAsync(wrong, "", {})));
    assert.equal(await isSignedIn(signed), true);
  });

  test("a session of another browser does not end, whatever a service provider signs", async (t) => {
    const server = await startNow(start, t);
    const person = await addPerson(server, { username: "ada" });
    const signed = await enter(server, { person });
    const { browser: elsewhere } = await enter(server, { person: await addPerson(server, { username: "bob" }) });
    const end = await elsewhere.open(pathOf(await signed.sp.getLogoutUrlAsync(signed.profile, "", {})));
    assert.ok(end.address.startsWith(logoutAddress));
    assert.equal(await isSignedIn(signed), true);
  });

  test("the browser that signs out visits each service provider, and goes on to where it was to go", async (t) => {
    const server = await startNow(start, t);
    const person = await addPerson(server, { username: "ada" });
    const first = await enter(server, { person });
    const { browser } = first;
    const second = await enter(server, { browser });
    const third = await enter(server, { browser, logout: logoutService("HTTP-POST", "https://sp.example/saml/out") });
    // The first one ends the session. The others are told, and then it gets its answer.
    let page = await browser.open(pathOf(await first.sp.getLogoutUrlAsync(first.profile, "back", {})));
    // Where it goes then is kept for this browser, and decides nothing in another.
    const [name, kept] = [...browser.cookies].find(([each]) => each.endsWith("after-logout")) ?? assert.fail();
    const stranger = new TestBrowser(server);
    await stranger.open("/ui/login");
    stranger.cookies.set(name, kept);
    assert.equal((await stranger.open(endpointPaths.samlLogoutNext)).address, "/ui/logout/done");
    const told: string[] = [];
    for (let hop = 0; hop < 2; hop++) {
      const posted = page.forms.find(({ action }) => action === "https://sp.example/saml/out");
      const partner = posted === undefined ? second : third;
      told.push(partner.entityId);
      const request =
        posted === undefined
          ? await partner.sp.validateRedirectAsync(
              Object.fromEntries(new URL(page.address).searchParams),
              new URL(page.address).search.slice(1),
            )
          : await partner.sp.validatePostRequestAsync(Object.fromEntries(posted.values) as never);
      assert.equal(request.profile?.nameID, partner.profile.nameID);
      assert.equal(request.profile?.sessionIndex, partner.profile.sessionIndex);
      const answer = await new Promise<string>((resolve, reject) =>
        partner.sp.getLogoutResponseUrl(request.profile ?? assert.fail(), "", {}, true, (error, url) =>
          error ? reject(error) : resolve(url ?? ""),
        ),
      );
      page = await browser.open(pathOf(answer));
    }
    assert.deepEqual(told.toSorted(), [second.entityId, third.entityId].toSorted());
    const query = Object.fromEntries(new URL(page.address).searchParams);
    assert.equal(query["RelayState"], "back");
    assert.equal((await first.sp.validateRedirectAsync(query, new URL(page.address).search.slice(1))).loggedOut, true);
    assert.deepEqual(await noticeEvents(server), ["logout_notice.delivered", "logout_notice.delivered"]);
  });

  test("a service provider with SOAP is told at its server, one without is noted as not told", async (t) => {
    const server = await startNow(start, t);
    const receiver = await startReceiver(t);
    receiver.answer = (_, response) =>
      void response.end(
        `<S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body><p:LogoutResponse xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1"><p:Status><p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></p:Status></p:LogoutResponse></S:Body></S:Envelope>`,
      );
    const person = await addPerson(server, { username: "ada" });
    const { browser, profile } = await enter(server, {
      person,
      logout: logoutService("SOAP", `${receiver.origin}/soap`),
    });
    await enter(server, { browser });
    const { status } = await server.rest("DELETE", `/v2/sessions/${profile.sessionIndex}`, { body: {} });
    assert.equal(status, 200);
    for (let round = 0; round < 40 && (await noticeEvents(server)).length < 2; round++) {
      server.clock.now += 60_000;
      await server.app.jobs.tick();
      await wait(20);
    }
    assert.deepEqual((await noticeEvents(server)).toSorted(), [
      "logout_notice.delivered",
      "logout_notice.failed only_through_browser",
    ]);
    const [{ path, body, headers } = assert.fail()] = receiver.received;
    assert.equal(path, "/soap");
    assert.match(headers["content-type"] ?? "", /^text\/xml/);
    assert.match(body, /<samlp:LogoutRequest .*<ds:Signature .*<samlp:SessionIndex>/s);
    assert.ok(body.includes(`>${profile.nameID}</saml:NameID>`));
  });
});
