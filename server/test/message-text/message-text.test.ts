import assert from "node:assert/strict";
import { test } from "node:test";
import { languages } from "../../src/base/language.ts";
import { systemRandom } from "../../src/base/random.ts";
import { generateToken } from "../../src/call/index.ts";
import {
  createBuiltInTexts,
  type MessageTextKind,
  messageTextKinds,
  messageTextParts,
} from "../../src/domain/message-text/index.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";

/** Path segments of the kinds. */
const segments = {
  init: "init",
  password_reset: "passwordreset",
  verify_email: "verifyemail",
  verify_phone: "verifyphone",
  verify_sms_otp: "verifysmsotp",
  verify_email_otp: "verifyemailotp",
  domain_claimed: "domainclaimed",
  passkey_registration: "passwordless_registration",
  password_change: "password_change",
  invite_user: "invite_user",
} as const satisfies Record<MessageTextKind, string>;

const builtIn = createBuiltInTexts();
const record = (kind: MessageTextKind, change: object = {}) => ({
  ...builtIn.get("en", kind),
  isDefault: true,
  ...change,
});

/** What is read of words that were set: the other parts are empty. */
const own = (change: object = {}) => ({
  ...Object.fromEntries(messageTextParts.map((part) => [part, ""])),
  isDefault: Object.keys(change).length === 0,
  ...change,
});

/** The words of an answer, without the details. */
function wordsOf({ status, body }: RestAnswer) {
  assert.equal(status, 200, JSON.stringify(body));
  const { details, ...words } = body.customText;
  assert.deepEqual(Object.keys(details).sort(), ["changeDate", "creationDate", "resourceOwner", "sequence"]);
  return words;
}

/** Events of a type, newest first; those of one organization when it is named. */
const events = async (server: TestServer, type: string, resourceOwner = "") =>
  (await server.rest("POST", "/admin/v1/events/_search", { body: { eventTypes: [type], resourceOwner } })).body.events;

eachServer((start) => {
  test("the words of messages", async (t) => {
    const operatorToken = generateToken("operatorToken", systemRandom);
    const server = await start(t, { operatorToken });
    await t.test("every kind can be read, set and reset, for the instance and for an organization", async () => {
      for (const base of ["admin", "management"]) {
        for (const kind of messageTextKinds) {
          const name = `${base} ${kind}`;
          const path = `/${base}/v1/text/message/${segments[kind]}/en`;
          const inherited = `/${base}/v1/text/default/message/${segments[kind]}/en`;
          assert.deepEqual(wordsOf(await server.rest("GET", path)), own(), name);
          assert.deepEqual(wordsOf(await server.rest("GET", inherited)), record(kind), name);
          const isShort = kind === "verify_sms_otp";
          const parts = {
            text: `Of ${base}`,
            ...(!isShort && { title: "T", preHeader: "P", subject: "S", greeting: "G" }),
          };
          const set = await server.rest("PUT", path, { body: { ...parts, buttonText: "" } });
          assert.equal(set.status, 200, `${name} ${JSON.stringify(set.body)}`);
          assert.ok(set.body.details.sequence > 1 && set.body.details.changeDate, name);
          assert.deepEqual(wordsOf(await server.rest("GET", path)), own(parts), name);
          assert.deepEqual(wordsOf(await server.rest("GET", inherited)), record(kind), name);
          const reset = await server.rest("DELETE", path);
          assert.equal(reset.status, 200, name);
          assert.ok(reset.body.details.sequence > set.body.details.sequence, name);
          assert.deepEqual(wordsOf(await server.rest("GET", path)), own(), name);
        }
      }
    });

    await t.test(
      "the paths of the interface without their base, and both spellings of the default, are served",
      async () => {
        const put = async (path: string, text: string) =>
          assert.equal((await server.rest("PUT", path, { body: { text } })).status, 200);
        await put("/admin/v1/text/message/passwordreset/de", "Instanz {{.Code}}");
        await put("/management/v1/text/message/passwordreset/de", "Organisation {{.Code}}");
        await put("/admin/v1/text/message/passwordless_registration/de", "Passkey {{.Code}}");
        const text = async (path: string) => wordsOf(await server.rest("GET", path)).text;
        assert.equal(await text("/text/message/passwordreset/de"), "Organisation {{.Code}}");
        assert.equal(await text("/text/message/passwordless_registration/de"), "Passkey {{.Code}}");
        const { text: german } = builtIn.get("de", "password_reset");
        for (const base of ["", "/admin/v1"]) {
          for (const word of ["default", "deafult"]) {
            assert.equal(await text(`${base}/text/${word}/message/passwordreset/de`), german, base + word);
          }
        }
        assert.equal(await text("/management/v1/text/default/message/passwordreset/de"), "Instanz {{.Code}}");
      },
    );

    await t.test("what was set is read back as it is; what holds without it is read apart", async () => {
      const organizationId = await addOrganization(server, "Acme");
      const headers = { "x-service-orgid": organizationId };
      const path = (base: string) => `/${base}/v1/text/message/verifyemail/en`;
      const ofInstance = await server.rest("PUT", path("admin"), { body: { subject: "I", greeting: "I" } });
      const ofOrganization = await server.rest("PUT", path("management"), { headers, body: { greeting: "O" } });

      const read = await server.rest("GET", path("management"), { headers });
      assert.deepEqual(wordsOf(read), own({ greeting: "O" }));
      assert.equal(read.body.customText.details.resourceOwner, organizationId);
      assert.equal(read.body.customText.details.sequence, ofOrganization.body.details.sequence);

      // Another organization has no words of its own.
      const other = await server.rest("GET", path("management"));
      assert.deepEqual(wordsOf(other), own());
      const inherited = await server.rest("GET", "/management/v1/text/default/message/verifyemail/en");
      assert.deepEqual(wordsOf(inherited), record("verify_email", { subject: "I", greeting: "I" }));
      assert.deepEqual(inherited.body.customText.details, ofInstance.body.details);

      // Everything empty is a reset.
      assert.equal((await server.rest("PUT", path("management"), { headers, body: { greeting: "" } })).status, 200);
      assert.equal(wordsOf(await server.rest("GET", path("management"), { headers })).isDefault, true);
      assert.equal((await events(server, "organization.message_text.reset", organizationId)).length, 1);
    });

    await t.test("languages: any can be read, only those of messages can be set", async () => {
      const path = (language: string) => `/admin/v1/text/message/init/${language}`;
      const inherited = (language: string) => `/admin/v1/text/default/message/init/${language}`;
      for (const [asked, answered] of [
        ["de-AT", "de"],
        ["zh-Hant-TW", "zh"],
        ["tlh", "en"],
        ["x", "en"],
      ] as const) {
        assert.equal(
          wordsOf(await server.rest("GET", inherited(asked))).text,
          builtIn.get(answered, "init").text,
          asked,
        );
      }
      for (const language of languages) {
        assert.equal((await server.rest("PUT", path(language), { body: { text: language } })).status, 200, language);
      }
      for (const language of languages) assert.equal(wordsOf(await server.rest("GET", path(language))).text, language);
      for (const language of ["tlh", "de-AT", "no such language", "-"]) {
        for (const method of ["PUT", "DELETE"]) {
          const refused = await server.rest(method, path(encodeURIComponent(language)), { body: { text: "x" } });
          assert.equal(refused.status, 400, `${method} ${language}`);
          assert.equal(refused.body.details[0].id, "message_text.language_unsupported");
        }
      }
    });

    await t.test("a placeholder that a message does not have is refused when it is saved, and named", async () => {
      const put = (segment: string, body: object) =>
        server.rest("PUT", `/admin/v1/text/message/${segment}/en`, { body });
      const good = "{{.Code}} {{ .DisplayName }} {{.PreferredLoginName}} {single} %s";
      assert.equal((await put("verifyemail", { text: good, footerText: "{{.VerifiedEmail}}" })).status, 200);
      assert.equal((await put("verifysmsotp", { text: "{{.OTP}} {{.Expiry}}\n@{{.Domain}} #{{.OTP}}" })).status, 200);
      const wrong: readonly [segment: string, part: string, words: string, named: string][] = [
        ["verifyemail", "text", "{{.Password}}", "{{.Password}}"],
        ["verifyemail", "subject", "{{.code}}", "{{.code}}"],
        ["verifyemail", "buttonText", "{{.OTP}}", "{{.OTP}}"],
        ["password_change", "text", "{{.Code}}", "{{.Code}}"],
        ["verifyemail", "greeting", "Hello {{Code}}", "{{Code}}"],
        ["verifyemail", "title", "{{if .Code}}x{{end}}", "{{if .Code}}"],
        ["verifyemail", "preHeader", "{{.Code", "{{.Code"],
        ["verifyemail", "footerText", "Code}}", "}}"],
        ["verifyemail", "text", "{{.Code.Length}}", "{{.Code.Length}}"],
      ];
      for (const [segment, part, words, named] of wrong) {
        const { status, body } = await put(segment, { [part]: words });
        assert.equal(status, 400, words);
        assert.match(body.details[0].id, /^message_text\.placeholder_(unknown|malformed)$/, words);
        assert.ok(body.message.includes(named), `${words}: ${body.message}`);
      }
      assert.equal((await put("verifyemail", { text: "x".repeat(40_001) })).status, 400);
      assert.equal((await put("verifysmsotp", { text: "x".repeat(801) })).status, 400);
      assert.equal(wordsOf(await server.rest("GET", "/admin/v1/text/message/verifyemail/en")).text, good);
    });

    await t.test("what changes nothing is not an event; what changes something is one, with the words", async () => {
      const path = "/admin/v1/text/message/invite_user/en";
      const before = (await events(server, "instance.message_text.set")).length;
      const resets = (await events(server, "instance.message_text.reset")).length;
      const first = await server.rest("PUT", path, { body: { subject: "A" } });
      assert.deepEqual((await server.rest("PUT", path, { body: { subject: "A", title: "" } })).body, first.body);
      const [event, ...more] = await events(server, "instance.message_text.set");
      assert.equal(more.length, before);
      assert.deepEqual(event.payload, { kind: "invite_user", language: "en", parts: { subject: "A" } });
      assert.equal((await server.rest("DELETE", path)).status, 200);
      const again = await server.rest("DELETE", path);
      const count = (await events(server, "instance.message_text.reset")).length;
      assert.deepEqual([again.status, count], [200, resets + 1]);
    });

    await t.test("the words of an organization are for those who may change its settings, and go with it", async () => {
      const acme = await addOrganization(server, "Gamma");
      const beta = await addOrganization(server, "Beta");
      const owner = await addPerson(server, { username: "owner", organizationId: acme });
      const viewer = await addPerson(server, { username: "viewer", organizationId: acme });
      const nobody = await addPerson(server, { username: "nobody", organizationId: acme });
      await appoint(server, owner, { organizationId: acme }, ["ORG_OWNER"]);
      await appoint(server, viewer, { organizationId: acme }, ["ORG_OWNER_VIEWER"]);
      const tokens = new Map<string, string | null>([["anonymous", null]]);
      for (const [name, person] of Object.entries({ owner, viewer, nobody })) {
        tokens.set(name, (await sessionOf(server, person)).token);
      }
      const ask = async (who: string, method: string, base: string, org?: string): Promise<number> => {
        const headers = org === undefined ? {} : { "x-service-orgid": org };
        const body = method === "PUT" ? { body: { text: "own" } } : {};
        const path = `/${base}/v1/text/message/init/en`;
        return (await server.rest(method, path, { token: tokens.get(who) ?? null, headers, ...body })).status;
      };
      const expected = [
        ["owner", "management", undefined, [200, 200, 200]],
        ["viewer", "management", undefined, [200, 403, 403]],
        ["nobody", "management", undefined, [403, 403, 403]],
        ["anonymous", "management", undefined, [401, 401, 401]],
        ["owner", "management", beta, [403, 403, 403]],
        ["owner", "management", "absent", [403, 403, 403]],
        ["owner", "admin", undefined, [403, 403, 403]],
        ["viewer", "admin", undefined, [403, 403, 403]],
      ] as const;
      for (const [who, base, org, statuses] of expected) {
        const answered = [];
        for (const method of ["GET", "PUT", "DELETE"]) answered.push(await ask(who, method, base, org));
        assert.deepEqual(answered, statuses, `${who} ${base} ${org}`);
      }

      assert.equal(await ask("owner", "PUT", "management"), 200);
      const gone = await server.connect("service.org.v2.OrganizationService/DeleteOrganization", {
        organizationId: acme,
      });
      assert.equal(gone.status, 200, JSON.stringify(gone.body));
      assert.equal(await ask("owner", "GET", "management"), 401);
    });

    await t.test(
      "a caller without an organization has to name one: nothing is done to the instance instead",
      async () => {
        const path = "/management/v1/text/message/invite_user/fr";
        const token = operatorToken.reveal();
        for (const method of ["GET", "PUT", "DELETE"]) {
          const refused = await server.rest(method, path, {
            token,
            body: method === "GET" ? undefined : { text: "x" },
          });
          assert.deepEqual([refused.status, refused.body.details[0].id], [400, "organization.context_missing"], method);
        }
        assert.equal(wordsOf(await server.rest("GET", "/admin/v1/text/message/invite_user/fr")).isDefault, true);
        const headers = { "x-service-orgid": await addOrganization(server, "Delta") };
        assert.equal((await server.rest("PUT", path, { token, headers, body: { text: "x" } })).status, 200);
        assert.equal(wordsOf(await server.rest("GET", path, { token, headers })).text, "x");
      },
    );
  });
});
