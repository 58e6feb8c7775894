import assert from "node:assert/strict";
import { test } from "node:test";
import { languages } from "../../src/base/language.ts";
import { loadMessageCatalogue } from "../../src/text/index.ts";
import { addOrganization, defaultOrganization } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { trustHost } from "../support/servers/trust-host.ts";

interface Captured {
  readonly kind: string;
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  /** Null for a text message. */
  readonly html: string;
  readonly code: string;
}

/** Returns the messages that would have been sent to a recipient, newest first. */
async function inbox(server: TestServer, recipient: string): Promise<Captured[]> {
  const path = `/ui/dev/inbox?recipient=${encodeURIComponent(recipient)}`;
  const { body } = await server.rest("GET", path, { token: null, headers: { accept: "application/json" } });
  return body.messages;
}

async function newest(server: TestServer, recipient: string): Promise<Captured> {
  const [message] = await inbox(server, recipient);
  assert.ok(message, recipient);
  return message;
}

let count = 0;

/** Makes a user with an unverified email address; returns the address and the id. */
async function invite(
  server: TestServer,
  given: {
    readonly organizationId?: string;
    readonly profile?: object;
    readonly sendCode?: object;
    readonly phone?: object;
  } = {},
) {
  const username = `person-${++count}`;
  const email = `${username}@mail.example`;
  const created = await server.connect("service.user.v2.UserService/CreateUser", {
    organizationId: given.organizationId ?? (await defaultOrganization(server)),
    username,
    human: {
      profile: { givenName: "Ada", familyName: "Lovelace", ...given.profile },
      email: { email, sendCode: given.sendCode ?? {} },
      ...(given.phone !== undefined && { phone: given.phone }),
    },
  });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  return { email, userId: created.body.id as string };
}

const setWords = (server: TestServer, level: "admin" | "management", segment: string, body: object, org?: string) =>
  server.rest("PUT", `/${level}/v1/text/message/${segment}/en`, {
    body,
    ...(org !== undefined && { headers: { "x-service-orgid": org } }),
  });

eachServer((start) => {
  test("what users are sent", async (t) => {
    const server = await start(t);
    await t.test("a message is written in each of the languages, as text and as HTML", async () => {
      for (const language of languages) {
        const { email } = await invite(server, { profile: { preferredLanguage: language } });
        const { subject, text, html, code, ...message } = await newest(server, email);
        const words = loadMessageCatalogue(language);
        assert.equal(subject, words.get("verify_email.title"), language);
        assert.equal(message.language, language);
        assert.ok(text.includes(code) && text.includes("Ada Lovelace") && text.includes(email), `${language}: ${text}`);
        assert.ok(html.includes(`lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}"`), language);
        assert.ok(html.includes(code) && !`${text}${html}`.includes("{{"), language);
      }
      const { email } = await invite(server, { profile: { preferredLanguage: "vi-VN" } });
      assert.equal((await newest(server, email)).language, "en");

      await changeSettings(server, "general", { allowedLanguages: ["en"] });
      const french = await invite(server, { profile: { preferredLanguage: "fr" } });
      assert.equal((await newest(server, french.email)).language, "en", "only what the instance permits");
      await changeSettings(server, "general", { allowedLanguages: [] });
      assert.equal((await newest(server, french.email)).language, "fr");
    });

    await t.test(
      "the words of the organization come before those of the instance, and those before the built-in ones",
      async () => {
        const acme = await addOrganization(server, "Acme");
        const body = { subject: "Of the instance", greeting: "Dear {{.FirstName}} {{ .LastName }} ({{.NickName}})" };
        assert.equal((await setWords(server, "admin", "verifyemail", body)).status, 200);
        const own = await setWords(server, "management", "verifyemail", { subject: "Of {{.ApplicationName}}" }, acme);
        assert.equal(own.status, 200, JSON.stringify(own.body));

        const here = await newest(server, (await invite(server)).email);
        const there = await newest(server, (await invite(server, { organizationId: acme })).email);
        assert.deepEqual([here.subject, there.subject], ["Of the instance", "Of Acme"]);
        for (const { text } of [here, there]) {
          assert.match(text, /^Confirm your email address\n\nDear Ada Lovelace \(\)\n\nEnter the code \S+ to confirm/);
        }
      },
    );

    await t.test(
      "a link is the button of the mail; when none was given, it leads to our page that takes the code",
      async () => {
        await trustHost(server, "app.example");
        const urlTemplate = "https://app.example/verify?user={{.UserID}}&code={{.Code}}";
        const { email, userId } = await invite(server, { sendCode: { urlTemplate } });
        const linked = await newest(server, email);
        const link = `https://app.example/verify?user=${userId}&code=${linked.code}`;
        assert.ok(linked.text.includes(`Confirm address:\n${link}`), linked.text);
        assert.ok(
          linked.html.includes(`<a class="button" href="${link.replaceAll("&", "&amp;")}">Confirm address</a>`),
        );

        await setWords(server, "admin", "verifyemail", { text: "Press the button." });
        const withButton = await newest(server, (await invite(server, { sendCode: { urlTemplate } })).email);
        assert.ok(!withButton.html.includes(`<bdi>${withButton.code}</bdi>`));
        const own = await invite(server);
        const hosted = await newest(server, own.email);
        const address = `${server.origin}/ui/login/verify-email?user=${own.userId}&code=${hosted.code}`;
        assert.ok(hosted.text.includes(`Confirm address:\n${address}`), hosted.text);
      },
    );

    await t.test("a mail wears the look of its organization, from the moment that it is activated", async () => {
      const organizationId = await addOrganization(server, "Branded");
      const context = { headers: { "x-service-orgid": organizationId } };
      const label = "/management/v1/policies/label";
      await server.rest("POST", label, { ...context, body: { primaryColor: "#7a00cc" } });
      const { email } = await invite(server, { organizationId });
      assert.doesNotMatch((await newest(server, email)).html, /#7a00cc/);
      await server.rest("POST", `${label}/_activate`, { ...context, body: {} });
      assert.match((await newest(server, email)).html, /\.button \{[^}]* background: #7a00cc; color: #ffffff;/);
    });

    await t.test("nothing that users wrote is markup, a header or a placeholder", async () => {
      const markup = `<a href="//evil.example">x</a>&amp;'{{.Code}}`;
      const words = {
        subject: "a\r\nBcc: b@evil.example",
        title: markup,
        text: `${markup}\n\nsecond\nline`,
        footerText: "<script>",
      };
      assert.equal((await setWords(server, "admin", "verifyemail", words)).status, 200);
      const { email } = await invite(server, { profile: { displayName: `<b>${markup}</b>`, preferredLanguage: "en" } });
      const { subject, text, html, code } = await newest(server, email);
      assert.equal(subject, "a Bcc: b@evil.example");
      const name = `<b>${markup.replace("evil.example", "evil. example")}</b>`;
      assert.ok(text.includes(`Hello ${name},`), "a value is inserted once; a name makes no link");
      assert.doesNotMatch(html.replace(/<a class="button" href="http[^"]*">/, ""), /<a |<b>|<script/);
      assert.ok(
        html.includes("&lt;b&gt;&lt;a href=&quot;//evil. example&quot;&gt;") && html.includes("second<br>line"),
      );
      assert.ok(html.includes("{{.Code}}&lt;/b&gt;") && html.includes(`&amp;amp;&#39;${code}`), html);
    });

    await t.test("a text message is short, has no subject, and names the code", async () => {
      const phone = "+41791234567";
      const { userId } = await invite(server, { phone: { phone, sendCode: {} } });
      const verify = await newest(server, phone);
      assert.deepEqual([verify.subject, verify.html], ["", null]);
      assert.equal(verify.text, `${verify.code} is your code to confirm this phone number.`);

      const reset = async (): Promise<Captured> => {
        server.clock.now += 1000;
        const path = `/v2/users/${userId}/password_reset`;
        const sent = await server.rest("POST", path, {
          body: { sendLink: { notificationType: "NOTIFICATION_TYPE_SMS" } },
        });
        assert.equal(sent.status, 200, JSON.stringify(sent.body));
        return newest(server, phone);
      };
      const builtIn = await reset();
      assert.equal(builtIn.text, `${builtIn.code} is your code to set a new password. Do not share it with anyone.`);
      await setWords(server, "admin", "passwordreset", { text: "Press the button." });
      const forMail = await reset();
      assert.ok(
        forMail.text.startsWith(`${forMail.code} is your code`),
        "words for mail do not serve without the code",
      );
      await setWords(server, "admin", "passwordreset", { text: "Reset: {{.Code}}" });
      const own = await reset();
      assert.equal(own.text, `Reset: ${own.code}`);
    });
  });
});
