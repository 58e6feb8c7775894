import assert from "node:assert/strict";
import { test } from "node:test";
import { ownerOf } from "../account/support/account.ts";
import { callUser, inboxOf } from "../factor/support.ts";
import { type DeviceServer, startDeviceServer } from "../oauth/device/support.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { addOrganization, addPerson, defaultOrganization, goodPassword } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import { addClient, redirectUri } from "../support/sign-in/sign-in-client.ts";
import { type Fields, type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { codeOf, half } from "./support/second-factors.ts";
import { isBack, signedIn, visit } from "./support/sign-in.ts";

/** A form that is about to be sent, and what may come of it however often that is. */
interface Waiting {
  readonly browser: TestBrowser;
  readonly page: ShownPage;
  readonly fields: Fields;
  /** Type of the event that the action records; absent when it records none. */
  readonly event?: string;
  /** Whether the answer confirms the action. */
  isDone(answer: ShownPage): boolean;
  /** Requires more of all the answers together. */
  check?(answers: readonly ShownPage[]): Promise<void>;
}

interface Scene {
  readonly server: DeviceServer;
  /** A user is signed in here. */
  readonly browser: TestBrowser;
}

const chosen = { new_password: goodPassword, new_password_repeated: goodPassword };
const isPasswordSet = ({ address }: ShownPage): boolean => address.includes("password-set");

/** Returns the address of a link in the newest message to a recipient. */
async function linkTo(server: DeviceServer, recipient: string, part: string): Promise<string> {
  const [newest] = await inboxOf(server, recipient);
  const [link] = new RegExp(`http://\\S*${part}\\S*`).exec(newest.text) ?? assert.fail(newest.text);
  const { pathname, search } = new URL(link);
  return pathname + search;
}

async function consent({ server, browser }: Scene, decision: "allow" | "deny"): Promise<Waiting> {
  const client = await addClient(server, { isConsentRequired: true });
  const { page, codeVerifier } = await visit(server, client, {}, browser);
  assert.match(page.title, /^Allow access/);
  const isAnswer = ({ address }: ShownPage): boolean => address.startsWith(`${redirectUri}?`);
  return {
    browser,
    page,
    fields: { decision },
    isDone: isAnswer,
    ...(decision === "allow" && { event: "consent.given" }),
    check: async (answers) => {
      assert.equal(answers.filter(isAnswer).length, 1, "one answer for one request");
      const codes = answers.filter(isBack);
      assert.equal(codes.length, decision === "allow" ? 1 : 0);
      for (const { address } of codes) assert.equal((await client.exchange(address, codeVerifier)).status, 200);
    },
  };
}

async function device({ server, browser }: Scene, decision: "allow" | "deny"): Promise<Waiting> {
  const waiting = await server.wait();
  const page = await browser.submit(await browser.open("/ui/login/device"), { user_code: waiting.user_code });
  assert.match(page.title, /^Allow this device/);
  const form = page.forms.find(({ values }) => values.some(([, value]) => value === decision));
  assert.ok(form);
  const [end, error] = decision === "allow" ? ["connected", undefined] : ["denied", "access_denied"];
  return {
    browser,
    page: { ...page, forms: [form] },
    fields: {},
    event: `device_authorization.${decision === "allow" ? "approved" : "denied"}`,
    isDone: ({ title }) => title.includes(end ?? ""),
    check: async (answers) => {
      for (const { title } of answers) assert.match(title, new RegExp(`${end}`), "all of them tell the same");
      const { body } = await server.poll(waiting.device_code);
      assert.deepEqual([body.error, typeof body.access_token], [error, error === undefined ? "string" : "undefined"]);
    },
  };
}

/** Every form of these pages that has an effect, at the moment before it is sent. */
const forms: Readonly<Record<string, (scene: Scene) => Promise<Waiting>>> = {
  "an application is let in": (scene) => consent(scene, "allow"),
  "an application is refused": (scene) => consent(scene, "deny"),
  "a device is let in": (scene) => device(scene, "allow"),
  "a device is refused": (scene) => device(scene, "deny"),
  "codes by mail are set up on the way in": async ({ server }) => {
    const organizationId = await addOrganization(server, "Careful");
    await changeSettings(server, "login", { forceMfa: true, secondFactors: ["otp_email"] }, organizationId);
    const person = await addPerson(server, { username: "careful", organizationId });
    const { browser, page } = await half(server, person);
    const asked = await browser.submit(page, { kind: "otp_email" });
    const fields = { code: await codeOf(server, "careful@mail.example") };
    return { browser, page: asked, fields, event: "user.otp_email.added", isDone: isBack };
  },
  "codes by mail are set up at the account": async ({ server }) => {
    await changeSettings(server, "login", { secondFactors: ["otp_email"] });
    const owner = await ownerOf(server, await addPerson(server, { username: "owner" }));
    const asked = await owner.send("/ui/account/methods/add?kind=otp_email");
    const fields = { code: await codeOf(server, "owner@mail.example") };
    const isDone = ({ html }: ShownPage): boolean => html.includes("The sign-in method was added.");
    return { browser: owner.browser, page: asked, fields, event: "user.otp_email.added", isDone };
  },
  "an invitation is accepted with a password": async ({ server }) => {
    const email = "invited@mail.example";
    const { id: userId } = await callUser(server, "CreateUser", {
      organizationId: await defaultOrganization(server),
      username: "invited",
      human: { profile: { givenName: "I", familyName: "V" }, email: { email, isVerified: false } },
    });
    await callUser(server, "CreateInviteCode", { userId, sendCode: {} });
    const browser = new TestBrowser(server);
    const page = await browser.open(await linkTo(server, email, "invitation"));
    return { browser, page, fields: chosen, event: "user.invitation.accepted", isDone: isPasswordSet };
  },
  "a forgotten password is replaced": async ({ server }) => {
    const { userId } = await addPerson(server, { username: "forgetful", password: "a sentence that was forgotten" });
    await callUser(server, "PasswordReset", { userId, sendLink: {} });
    const browser = new TestBrowser(server);
    const page = await browser.open(await linkTo(server, "forgetful@mail.example", "password-reset"));
    return { browser, page, fields: chosen, event: "user.password.set", isDone: isPasswordSet };
  },
};

eachEngine((_open, engine) => {
  test("a form that is sent twice, in two tabs, or again after going back acts once and leads on", async (t) => {
    const server = await startDeviceServer(t, { engine });
    const scene = { server, browser: await signedIn(server, server.user) };
    const countOf = async (wanted: string | undefined): Promise<number> =>
      (await recordedEvents(server)).filter(({ type }) => type === wanted).length;
    for (const [name, prepare] of Object.entries(forms)) {
      await t.test(name, async () => {
        const { browser, page, fields, event, isDone, check } = await prepare(scene);
        const before = await countOf(event);
        const again = browser.copy();
        // Pressed twice, which is two at once, and in a second tab; then once more on the page that "back" shows.
        const answers = await Promise.all([browser, browser.copy(), again].map((tab) => tab.submit(page, fields)));
        answers.push(await again.submit(page, fields));
        await check?.(answers);
        assert.ok(answers.some(isDone), answers.map(({ address, title }) => `${address} ${title}`).join("\n"));
        for (const answer of [...answers, await again.open(page.address)]) {
          const told = `${answer.status} ${answer.address} ${answer.title}`;
          assert.ok(answer.status < 500, told);
          const leadsOn = isDone(answer) || /<form |class="button|<a [^>]*href=/.test(answer.html);
          assert.ok(leadsOn, `${told}: a dead end`);
        }
        assert.equal(await countOf(event), before + (event === undefined ? 0 : 1), "once");
      });
    }
  });
});
