import assert from "node:assert/strict";
import { test } from "node:test";
import type { DescMessage, DescMethod } from "@bufbuild/protobuf";

interface Documents {
  readonly documentsOf: (
    isInstance: boolean,
  ) => readonly { readonly update: DescMethod; readonly fields: readonly { readonly name: string }[] }[];
}

const module = new URL("../../console/src/pages/settings/documents.ts", import.meta.url);

/** What administrators do not edit in the console. */
const aside = [
  // Answers alone have it.
  "resourceOwnerType",
  // The former name of `allowLocalAuthentication`.
  "LoginSettings.allowUsernamePassword",
  // Left to the API.
  "LoginSettings.layout",
  "LegalAndSupportSettings.customLink",
  "LegalAndSupportSettings.customLinkText",
];

const namesOf = (message: DescMessage, before = ""): string[] =>
  message.fields.flatMap(({ localName, message: inner }) =>
    inner !== undefined && !inner.typeName.startsWith("google.")
      ? namesOf(inner, `${before}${localName}.`)
      : [before + localName],
  );

test("the console edits every field of a settings document (console/src/pages/settings/documents.ts)", async () => {
  // By its address, because it compiles only with the options of the console.
  const { documentsOf } = (await import(module.href)) as Documents;
  const edited = new Map<DescMessage, string[]>();
  for (const { update, fields } of documentsOf(true)) {
    const message = update.input.field["settings"]?.message;
    assert.ok(message, update.name);
    // Some pages divide the fields of one document.
    edited.set(message, [...(edited.get(message) ?? []), ...fields.map(({ name }) => name)]);
  }
  const missing = [...edited].flatMap(([message, names]) =>
    namesOf(message)
      .filter((name) => !names.includes(name) && !aside.includes(name) && !aside.includes(`${message.name}.${name}`))
      .map((name) => `${message.name}.${name}`),
  );
  assert.deepEqual(missing, [], "without an entry in documents.ts; what is left to the API belongs in `aside`");
});
