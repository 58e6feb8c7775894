import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../src/base/fault.ts";
import {
  parseChosenId,
  parseEmail,
  parseLoginName,
  parsePhone,
  parseUsername,
} from "../../src/domain/login-name/identifier.ts";

const isRefused = (parse: (text: string, field: string) => unknown, text: string): boolean => {
  try {
    parse(text, "field");
    return false;
  } catch (error) {
    return error instanceof Fault && error.code === "invalid_argument" && error.field === "field";
  }
};

// Zero width, bidirectional, control, unassigned, private and half characters: users cannot see them.
const invisible = [
  "\u200b",
  "\u200d",
  "\u2060",
  "\ufeff",
  "\u202e",
  "\u2066",
  "\u0000",
  "\u0007",
  "\u{e0001}",
  "\ue000",
  "\ud800",
];
const kelvin = "\u212a";
const fullWidthAt = "\uff20";
const smallAt = "\ufe6b";

test("a username that is seen and read in one way only is accepted", () => {
  const accepted = [
    "jane",
    "Jane.Doe",
    "jane@acme.com",
    "jane+tag",
    "o'hara",
    "józef",
    "Ελένη",
    "Иван",
    "山田太郎",
    "a",
    "a".repeat(200),
  ];
  for (const username of accepted) assert.equal(isRefused(parseUsername, username), false, username);
});

test("a username that hides something, or reads as two names, is refused", () => {
  const refused = [
    "",
    " ",
    "a".repeat(201),
    "a b",
    "a\tb",
    "a\u00a0b",
    "a\u3000b",
    '"jane"',
    "a@b@c",
    `a${fullWidthAt}b@c`,
    `a${smallAt}b@c`,
    "@acme.com",
    "jane@",
    "jane<script>",
    ...invisible.map((character) => `ja${character}ne`),
  ];
  for (const username of refused) assert.equal(isRefused(parseUsername, username), true, JSON.stringify(username));
});

test("a name that mixes Latin with Cyrillic or Greek letters is refused (CVE-2021-3424)", () => {
  for (const username of ["аdmin", "admіn", "ραypal", "jane@аcme.com"]) {
    assert.equal(isRefused(parseUsername, username), true, username);
  }
  assert.equal(isRefused(parseUsername, "иван.jane"), false, "each part is of one script");
});

test("names that are one name have one key", () => {
  const keyOf = (username: string): string => parseUsername(username, "field").key;
  assert.equal(keyOf("Jane"), keyOf("jANE"));
  assert.equal(keyOf("caf\u00e9"), keyOf("cafe\u0301"));
  assert.equal(keyOf(`${kelvin}ate`), keyOf("kate"));
  assert.equal(keyOf("\uff4aane"), keyOf("jane"));
  assert.equal(keyOf("STRASSE"), "strasse");
  assert.notEqual(keyOf("straße"), keyOf("strasse"), "NFKC and lower case keep ß");
  assert.notEqual(keyOf("dıne"), keyOf("dine"));
  const key = "jane@xn--bcher-kva.example";
  for (const domain of ["bücher.example", "BÜCHER.example.", "bu\u0308cher\uff0eexample", "xn--BCHER-kva.example"]) {
    assert.equal(keyOf(`Jane@${domain}`), key, domain);
    assert.equal(keyOf(`jane${fullWidthAt}${domain}`), key, domain);
    assert.equal(parseLoginName(`jane@${domain}@acme.com`)?.key, `${key}@acme.com`, domain);
  }
  assert.equal(keyOf("jane@ΣΟΦΟΣ.example"), keyOf("jane@σοφοσ.example"), "Σ is σ in every place of a domain");
  assert.equal(keyOf("bücher.example"), "bücher.example", "a name without @ has no domain");
  assert.equal(keyOf("jane@0x7f.1"), "jane@0x7f.1", "no host is computed from a number");
});

test("an email address is compared in the form that mail is sent to", () => {
  for (const address of [
    "jane@acme.com",
    "Jane.Doe+tag@Mail.Acme.com",
    "root@localhost",
    "用户@例え.jp",
    "o'hara@acme.com",
  ]) {
    assert.equal(parseEmail(address, "field").shown, address);
  }
  assert.equal(parseEmail(`${kelvin}ate@acme.com`, "field").shown, "Kate@acme.com");
});

test("an email address with two meanings is refused (CVE-2026-73420, CVE-2026-40574)", () => {
  const refused = [
    "",
    "jane",
    "@acme.com",
    "jane@",
    "a@evil@acme.com",
    `a${fullWidthAt}evil.test@acme.com`,
    `a${smallAt}evil.test@acme.com`,
    '"a@evil"@acme.com',
    '"jane"@acme.com',
    "jane@[127.0.0.1]",
    "jane@acme.com.",
    "jane@.acme.com",
    "jane@acme..com",
    "jane@-acme.com",
    ".jane@acme.com",
    "jane.@acme.com",
    "ja..ne@acme.com",
    "jane@acme.com, eve@evil.test",
    "jane@acme.com\r\nBcc: eve@evil.test",
    "ﬁona@acme.com",
    "jane@ａcme.com",
    "jane@аcme.com",
    "jane@ac\ufe0fmé.com",
    "jane@\u0300é.com",
    `jane@${"é".repeat(60)}.com`,
    "jane@é.1",
    "jane@xn--é.com",
    `${"a".repeat(65)}@acme.com`,
    `jane@${"a".repeat(64)}.com`,
    `jane@${"a.".repeat(100)}com`,
    ...invisible.map((character) => `ja${character}ne@acme.com`),
  ];
  for (const address of refused) assert.equal(isRefused(parseEmail, address), true, JSON.stringify(address));
});

test("a phone number is stored in one form", () => {
  for (const number of ["+41791234567", "+41 79 123 45 67", "0041-79-123-45-67", "+41 (79) 123.45/67"]) {
    assert.equal(parsePhone(number, "field"), "+41791234567");
  }
  for (const number of ["", "079 123 45 67", "+0791234567", "+41", "+4179123456789012", "+41a", "tel:+41791234567"]) {
    assert.equal(isRefused(parsePhone, number), true, number);
  }
});

test("an id that is chosen can stand in a path", () => {
  for (const id of ["1", "user-1", "jane@acme.com", "a".repeat(200)]) assert.equal(parseChosenId(id, "field"), id);
  for (const id of ["", "a/b", "a b", "a?b", "a#b", "a%2fb", "a\\b", "a\u200bb", "a".repeat(201)]) {
    assert.equal(isRefused(parseChosenId, id), true, JSON.stringify(id));
  }
});

test("an impossible login name finds no user", () => {
  for (const name of ["", " ", "a b", "ja\u200bne", "a".repeat(421)]) assert.equal(parseLoginName(name), undefined);
  assert.deepEqual(parseLoginName(" Jane@ACME.com "), { key: "jane@acme.com", local: "jane", domain: "acme.com" });
  assert.deepEqual(parseLoginName("jane@b@c"), { key: "jane@b@c", local: "jane@b", domain: "c" });
});
