import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceOf } from "../../src/domain/device-authorization/source-of.ts";
import { type DeviceServer, startDeviceServer, type Waiting } from "../oauth/device/support.ts";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { enter, signedIn } from "./support/sign-in.ts";

const engines = ["sqlite", "postgres"] as const;

/** Types a code as a user does, and signs in when asked; returns the page that asks whether to allow the device. */
async function atConfirm(server: DeviceServer, { user_code: userCode }: Waiting, browser = new TestBrowser(server)) {
  const typed = await browser.submit(await browser.open("/ui/login/device"), { user_code: userCode });
  const page = typed.address.startsWith("/ui/login/device/confirm")
    ? typed
    : await enter({ browser, page: typed }, server.user);
  assert.match(page.title, /^Allow this device/, page.html);
  return { browser, page };
}

/** Presses one of the two buttons. */
function press(browser: TestBrowser, page: ShownPage, decision: "allow" | "deny"): Promise<ShownPage> {
  const form = page.forms.find(({ values }) => values.some(([, value]) => value === decision));
  assert.ok(form, page.html);
  return browser.submit({ ...page, forms: [form] });
}

for (const engine of engines) {
  test(`a user types the code, signs in, compares, allows; and the device has its tokens (${engine})`, async (t) => {
    const server = await startDeviceServer(t, { engine });
    const waiting = await server.wait("openid profile offline_access");
    const { pathname } = new URL(waiting.verification_uri);
    const browser = new TestBrowser(server);
    const start = await browser.open(pathname);
    assert.match(start.title, /^Connect a device/);
    const typed = await browser.submit(start, { user_code: ` ${waiting.user_code.toLowerCase().replace("-", " ")} ` });
    // The login names the application, and leads on to the question.
    assert.match(typed.title, /^Sign in/);
    assert.match(typed.html, /to continue to <strong>/);
    const page = await enter({ browser, page: typed }, server.user);
    assert.match(page.title, /^Allow this device/);
    for (const shown of [
      waiting.user_code,
      "127.0.0.1",
      "ada@doorward.localhost",
      "stay connected",
      "deny the request",
    ]) {
      assert.ok(page.html.includes(shown), shown);
    }
    // Refusing comes first, for keyboards and screen readers as well.
    assert.ok(page.html.indexOf(">Refuse<") < page.html.indexOf(">Allow<"));
    assert.equal((await server.poll(waiting.device_code)).body.error, "authorization_pending");
    const done = await press(browser, page, "allow");
    assert.match(done.title, /^The device is connected/);
    const { body } = await server.poll(waiting.device_code);
    assert.equal((await server.introspect(body.access_token))["sub"], server.user.userId);
    // Looking again shows the outcome, and decides nothing.
    assert.match((await browser.open(page.address)).title, /^The device is connected/);
  });

  test(`allowing a device is consent, to rights and projects that the page names (A1, A7; ${engine})`, async (t) => {
    const server = await startDeviceServer(t, { engine });
    const bank = await addOrganization(server, "Bank Ltd");
    const project = { organizationId: bank, name: "Accounts" };
    const { body: made } = await server.connect("service.project.v2.ProjectService/CreateProject", project);
    const scopes = ["service", made.projectId].map((id) => `urn:service:iam:org:project:id:${id}:aud`);
    const waiting = await server.wait(["openid offline_access", ...scopes].join(" "));
    const { browser, page } = await atConfirm(server, waiting);
    for (const shown of ["see your account data", "Accounts (Bank Ltd)"]) {
      assert.ok(page.html.includes(shown), page.html);
    }
    await press(browser, page, "allow");
    const first = await server.poll(waiting.device_code);
    const path = `/v2/users/${server.user.userId}`;
    const refresh = (token: string) =>
      server.form("/oauth/v2/token", {
        grant_type: "refresh_token",
        client_id: server.device.clientId,
        refresh_token: token,
      });
    const second = await refresh(first.body.refresh_token);
    for (const { body } of [first, second]) {
      assert.ok(body.scope.includes(made.projectId), body.scope);
      assert.equal((await server.rest("GET", path, { token: body.access_token })).status, 200);
      const email = { email: "mallory@attacker.example", sendCode: {} };
      const changed = await server.rest("POST", `${path}/email`, { token: body.access_token, body: email });
      assert.equal(changed.status, 403);
    }
    // The user takes the access away: none of it works from now on.
    await browser.submit(await browser.open("/ui/account/applications"), { client_id: server.device.clientId });
    assert.equal((await server.rest("GET", path, { token: second.body.access_token })).status, 401);
    assert.equal((await refresh(second.body.refresh_token)).status, 400);
  });

  test(`refusing gives the device nothing (${engine})`, async (t) => {
    const server = await startDeviceServer(t, { engine });
    const waiting = await server.wait();
    const { browser, page } = await atConfirm(server, waiting);
    const done = await press(browser, page, "deny");
    assert.match(done.title, /^The device was denied/);
    assert.equal((await server.poll(waiting.device_code)).body.error, "access_denied");
    // Both buttons in two tabs: the first counts.
    assert.match((await press(browser, page, "allow")).title, /^The device was denied/);
    assert.equal((await server.poll(waiting.device_code)).body.error, "access_denied");
  });

  test(`opening the complete link approves nothing, whether or not a user is signed in (${engine})`, async (t) => {
    const server = await startDeviceServer(t, { engine });
    const waiting = await server.wait();
    const browser = await signedIn(server, server.user);
    const link = new URL(waiting.verification_uri_complete);
    const page = await browser.open(link.pathname + link.search);
    assert.match(page.html, new RegExp(`name="user_code"[^>]*value="${waiting.user_code}"`));
    for (let times = 0; times < 3; times++) await browser.open(page.address);
    assert.equal((await server.poll(waiting.device_code)).body.error, "authorization_pending");
    const confirm = await browser.submit(page);
    assert.match(confirm.title, /^Allow this device/);
    await browser.open(confirm.address);
    server.clock.now += 10_000;
    assert.equal((await server.poll(waiting.device_code)).body.error, "authorization_pending");
    // Only the form of this page, from this site, decides.
    const form = { ...confirm, forms: confirm.forms.slice(-1) };
    const foreign = await browser.submit(form, {}, { headers: { origin: "https://evil.example" } });
    assert.equal(foreign.status, 403);
    await browser.submit(form, { csrf_token: "x" });
    await browser.submit(form, { decision: "maybe" });
    server.clock.now += 10_000;
    assert.equal((await server.poll(waiting.device_code)).body.error, "authorization_pending");
  });

  test(`only the browser in which the code was typed decides, and only with a session of its own (${engine})`, async (t) => {
    const server = await startDeviceServer(t, { engine });
    const bob = await addPerson(server, { username: "bob" });
    const waiting = await server.wait();
    const { browser, page } = await atConfirm(server, waiting);
    const stranger = await signedIn(server, bob);
    assert.match((await stranger.open(page.address)).title, /No device is waiting/);
    // The stranger's own form, with the device and the session of another user.
    const own = await server.wait();
    const theirs = await atConfirm(server, own, stranger);
    const allow = theirs.page.forms.find(({ values }) => values.some(([, value]) => value === "allow"));
    const session = Object.fromEntries(page.forms.at(-1)?.values ?? [])["session_id"] ?? "";
    const [device] = page.address.match(/device=\d+/) ?? [];
    const moved = {
      ...theirs.page,
      forms: [{ action: `/ui/login/device/confirm?${device}`, values: allow?.values ?? [] }],
    };
    assert.match((await stranger.submit(moved)).title, /No device is waiting/);
    const borrowed = { ...theirs.page, forms: allow === undefined ? [] : [allow] };
    assert.doesNotMatch((await stranger.submit(borrowed, { session_id: session })).title, /connected/);
    assert.equal((await server.poll(own.device_code)).body.error, "authorization_pending");
    // Entered again elsewhere, the code belongs to that browser.
    await stranger.submit(await stranger.open("/ui/login/device"), { user_code: waiting.user_code });
    assert.match((await press(browser, page, "allow")).title, /No device is waiting/);
    assert.equal((await server.poll(waiting.device_code)).body.error, "authorization_pending");
  });

  test(`codes can be guessed only so often from one place, including in parallel and with good ones between (${engine})`, async (t) => {
    const server = await startDeviceServer(t, { engine });
    const waiting = await server.wait();
    const type = async (userCode: string) => {
      const browser = new TestBrowser(server);
      return browser.submit(await browser.open("/ui/login/device"), { user_code: userCode });
    };
    const wrong = await type("BCDF-GHJK");
    assert.match(wrong.alert ?? wrong.html, /No device is waiting with this code/);
    assert.match((await type("")).html, /Enter the code/);
    assert.match((await type("ABCD-EFGI")).html, /No device is waiting with this code/);
    assert.match((await type(waiting.user_code)).title, /^Sign in/);
    const one = new TestBrowser(server);
    const form = await one.open("/ui/login/device");
    const pages = await Promise.all(Array.from({ length: 14 }, () => one.submit(form, { user_code: "BCDF-GHJK" })));
    assert.equal(pages.filter(({ status }) => status === 429).length, 4, "one browser");
    assert.equal((await one.submit(form, { user_code: waiting.user_code })).status, 429);
    for (let colleague = 0; colleague < 12; colleague++) {
      assert.match((await type((await server.wait()).user_code)).title, /^Sign in/, "others of the same office");
    }
    const others = await Promise.all(Array.from({ length: 47 }, () => type("BCDF-GHJK")));
    assert.equal(others.filter(({ status }) => status === 429).length, 10, "one address: three, ten and 37 more");
    assert.equal((await type(waiting.user_code)).status, 429);
    server.clock.now += 600_001;
    const later = await server.wait();
    assert.match((await type(later.user_code)).title, /^Sign in/);
  });
}

test("another account can be chosen; one that may not use the application is told so and can change", async (t) => {
  const server = await startDeviceServer(t);
  const elsewhere = await addOrganization(server, "Elsewhere");
  const carol = await addPerson(server, { username: "carol", organizationId: elsewhere });
  const project = { projectId: server.projectId, projectAccessRequired: true };
  await server.connect("service.project.v2.ProjectService/UpdateProject", project);
  const waiting = await server.wait();
  const browser = await signedIn(server, carol);
  const { page } = await atConfirm(server, waiting, browser);
  assert.match(page.html, new RegExp(carol.loginName));
  const refused = await press(browser, page, "allow");
  assert.match(refused.title, /You cannot use this application/);
  assert.equal((await server.poll(waiting.device_code)).body.error, "authorization_pending");
  const [device] = page.address.match(/device=\d+/) ?? [];
  assert.ok(page.html.includes(`/ui/login/accounts?${device}`));
  const other = await browser.open(`/ui/login?${device}&account=other`);
  const asAda = await enter({ browser, page: other }, server.user);
  assert.match(asAda.html, /ada@doorward\.localhost/);
  assert.match((await press(browser, asAda, "allow")).title, /^The device is connected/);
  const { body } = await server.poll(waiting.device_code);
  assert.equal((await server.introspect(body.access_token))["sub"], server.user.userId);
});

test("of several accounts the chosen one lets the device in", async (t) => {
  const server = await startDeviceServer(t);
  const bob = await addPerson(server, { username: "bob" });
  const browser = await signedIn(server, bob, await signedIn(server, server.user));
  const waiting = await server.wait();
  const { page } = await atConfirm(server, waiting, browser);
  assert.match(page.html, new RegExp(bob.loginName));
  const [device] = page.address.match(/device=\d+/) ?? [];
  const accounts = await browser.open(`/ui/login/accounts?${device}`);
  const ofAda = accounts.html.split("<form").findIndex((part) => part.includes("ada@doorward.localhost"));
  const chosen = await browser.submit({ ...accounts, forms: accounts.forms.slice(ofAda - 1) });
  assert.match(chosen.html, /ada@doorward\.localhost/);
  await press(browser, chosen, "allow");
  const { body } = await server.poll(waiting.device_code);
  assert.equal((await server.introspect(body.access_token))["sub"], server.user.userId);
});

test("a device that waited too long, or whose application is switched off, is not let in", async (t) => {
  const server = await startDeviceServer(t);
  const waiting = await server.wait();
  const { browser, page } = await atConfirm(server, waiting);
  const { projectId } = server;
  const application = { projectId, applicationId: server.device.applicationId };
  const service = "service.application.v2.ApplicationService";
  await server.connect(`${service}/DeactivateApplication`, application);
  assert.match((await press(browser, page, "allow")).title, /deactivated/);
  await server.connect(`${service}/ReactivateApplication`, application);
  server.clock.now += 300_000;
  assert.match((await press(browser, page, "allow")).title, /No device is waiting/);
  assert.equal((await server.poll(waiting.device_code)).body.error, "expired_token");
});

test("pages speak German, and codes and names of applications are text", async (t) => {
  const server = await startDeviceServer(t);
  const waiting = await server.wait();
  const browser = new TestBrowser(server);
  const start = await browser.open("/ui/login/device?language=de");
  assert.match(start.html, /<html lang="de"/);
  assert.match(start.html, /Gerät verbinden/);
  const hostile = await browser.open(`/ui/login/device?user_code=${encodeURIComponent('"><script>alert(1)</script>')}`);
  assert.doesNotMatch(hostile.html, /<script>alert/);
  const typed = await browser.submit(hostile, { user_code: waiting.user_code });
  const page = await enter({ browser, page: typed }, server.user);
  assert.match(page.html, /Dieses Gerät zulassen\?/);
  assert.match(page.html, /Ablehnen/);
});

test("an address counts as a source: itself, or its network with IPv6", () => {
  const sources: Readonly<Record<string, string>> = {
    "192.0.2.7": "192.0.2.7",
    "::ffff:192.0.2.7": "192.0.2.7",
    "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
    "2001:db8:1:2::1": "2001:db8:1:2::/64",
    "2001:DB8::1": "2001:db8:0:0::/64",
    "fe80::1%eth0": "fe80:0:0:0::/64",
    "::1": "0:0:0:0::/64",
    unknown: "unknown",
  };
  for (const [address, source] of Object.entries(sources)) assert.equal(sourceOf(address), source, address);
});
