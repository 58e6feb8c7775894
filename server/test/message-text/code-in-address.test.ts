import assert from "node:assert/strict";
import { test } from "node:test";
import { languages } from "../../src/base/language.ts";
import { sql } from "../../src/database/index.ts";
import { hasCodeInAddress } from "../../src/domain/message-text/code-in-address.ts";
import { createBuiltInTexts, messageTextKinds } from "../../src/domain/message-text/index.ts";
import { callUser, inboxOf, slugOf } from "../factor/support.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const harmful = [
  "Confirm: https://evil.example/?c={{.Code}}",
  "www.evil.example/{{.Code}}",
  "evil.example?c={{.Code}}",
  "https://{{ .Code }}.evil.example",
  "{{.Code}}@evil.example",
  "{{.DisplayName}}{{.Code}}",
  "https://evil.example/\u{feff}{{.Code}}",
  ...["\u{feff}", "\u{a0}", "\u{2009}", "\u{3000}", "\u{200b}", "\u{2028}", "\v", "\f", "\u{85}"].map(
    (blank) => `https://evil.example/?${blank}{{.Code}}`,
  ),
  ...["\u{3002}", "\u{ff0e}", "\u{ff61}"].map((dot) => `evil${dot}example?{{.Code}}`),
  ...["公司", "公司?a", "中国:80", "世界。"].map((end) => `{{.Code}}。恶意。${end}`),
  "恶意。みんな?{{.Code}}",
  "https:\u{ff0f}\u{ff0f}evil.example?{{.Code}}",
  "{{.Code}}\u{ff20}evil.example",
  "Your code\n\n@evil.example #{{.OTP}}",
  "@evil.example #{{.Code}}",
  "@evil.example #0{{.Code}}",
  "\u{ff20}evil.example \u{ff03}{{.Code}}",
  "@evil.example\u{2028}#{{.Code}}",
  "{{.DisplayName}} #{{.Code}}",
  "@{{.Domain}}.evil.example #{{.OTP}}",
  "@{{.Domain}} #{{.OTP}} %evil.example",
  "@evil.example #{{.OTP}}\n@{{.Domain}} #{{.OTP}}",
];
const harmless = [
  "See https://acme.example/help\n{{.Code}}\tis your code",
  "您好。代码是{{.Code}}。请输入它。",
  "コードは{{.Code}}です。次の画面で入力してください。",
  "您的代码是{{.Code}}。五分钟内有效。公司祝您愉快",
  "您的代码是{{.Code}}。香港，五分钟内有效",
  "Enter {{.Code}}.",
  "Code:{{.Code}}, see https://acme.example/help",
  "输入代码{{.Code}}，以确认您的电子邮件地址。",
  "{{.DisplayName}}: {{.Code}}",
  "{{.DisplayName}},\nyour code is #{{.Code}}. Questions? Write to\nhelp@acme.example",
  "For {{.Domain}}.\n@{{.Domain}} #{{.OTP}}",
];

test("what mail programs make a link with the code in it is told from other texts, ours included (A16)", () => {
  for (const words of harmful) assert.equal(hasCodeInAddress(words), true, words);
  for (const words of harmless) assert.equal(hasCodeInAddress(words), false, words);
  const builtIn = createBuiltInTexts();
  for (const kind of messageTextKinds) {
    for (const language of languages) {
      for (const words of Object.values(builtIn.get(language, kind)))
        assert.equal(hasCodeInAddress(words), false, words);
    }
  }
});

eachServer((start) => {
  test("texts of an organization bring no user's code to a server of its managers (A16)", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "Acme");
    const manager = await addPerson(server, { username: "settings", organizationId });
    await appoint(server, manager, { organizationId }, ["ORG_SETTINGS_MANAGER"]);
    const { token } = await sessionOf(server, manager);
    const reader = await addPerson(server, { username: "reader", organizationId });
    const headers = { "x-service-orgid": organizationId };
    const set = (text: string) =>
      server.rest("PUT", "/management/v1/text/message/passwordreset/en", { token, headers, body: { text } });
    const [evil = ""] = harmful;
    const ofKind = (texts: readonly string[]) => texts.filter((text) => !/OTP|Domain/.test(text));
    for (const text of ofKind(harmful)) assert.equal(slugOf(await set(text)), "message_text.code_in_address", text);
    for (const text of ofKind(harmless)) assert.equal(slugOf(await set(text)), "done", text);
    assert.equal(slugOf(await set("{{.DisplayName}}: {{.Code}}")), "done");
    const received = async () => {
      await callUser(server, "PasswordReset", { userId: reader.userId, sendLink: {} });
      server.clock.now += 120_000;
      return JSON.stringify((await inboxOf(server, "reader@mail.example"))[0]);
    };
    assert.match(await received(), /reader Example: [0-9A-Z]{6,8}/, "a text of their own");
    const instance = await server.app.domain.findInstanceByHost("localhost");
    const call = { instanceId: instance?.instanceId ?? "", now: server.clock.now } as never;
    await server.app.domain.database.touch(call, (tx) =>
      tx.run(sql`update message_texts set parts = ${JSON.stringify({ text: evil })}
        where instance_id = ${tx.instanceId} and organization_id = ${organizationId}`),
    );
    assert.doesNotMatch(await received(), /evil/, "a text from earlier");
    const ofInstance = await server.rest("PUT", "/admin/v1/text/message/passwordreset/en", { body: { text: evil } });
    assert.equal(slugOf(ofInstance), "done", "the instance decides for itself");
  });
});
