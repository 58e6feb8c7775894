import assert from "node:assert/strict";
import { test } from "node:test";
import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { secret } from "@doorward/api/service/option/v1/secret_pb";
import { services } from "@doorward/api/services";
import type { JsonMessage } from "../../src/extension/index.ts";
import { areLedElsewhere } from "../../src/rpc/secret-destinations.ts";

/** Names that sound like a destination of what is sent, or like the way there. */
const destination =
  /(^|_)(host|port|tls|ssl|urls?|uris?|endpoints?|issuers?|servers?|tenant|sid|bucket|domains?|origins?|address|sender|ca)(_|$)/;

/** Which of them are not where a concealed secret goes, and why. */
const elsewhere: readonly { readonly fields: RegExp; readonly reason: string }[] = [
  { fields: /^sender_(address|name|number)$|^(reply_to|receiver)_address$/, reason: "the parties of a message" },
  { fields: /^verify_service_sid$/, reason: "a part of the account that sid names" },
  { fields: /^url_template$/, reason: "a link for a code that the server makes; it leads to registered pages alone" },
  { fields: /^(success|failure)_url$/, reason: "a page of the instance, which gets no secret of the request" },
  {
    fields: /redirect_uris?$|^back_channel_logout_uri$|^base_uri$/,
    reason: "gets codes and tokens that the server makes",
  },
  { fields: /^additional_origins$/, reason: "pages that may call an application from browsers" },
  { fields: /^error_uri$/, reason: "a page about an error" },
  { fields: /domain/, reason: "a name of ours, or a switch" },
  { fields: /^avatar_url_attribute$/, reason: "the name of an attribute" },
];

interface Leaf {
  readonly path: string;
  readonly fields: readonly DescField[];
}

/** The fields of a message that hold a value, in messages inside it as well. */
function leavesOf(descriptor: DescMessage, above: readonly DescField[] = []): readonly Leaf[] {
  return descriptor.fields.flatMap((field): readonly Leaf[] => {
    const fields = [...above, field];
    const { message } = field;
    if (message === undefined) return [{ path: fields.map(({ name }) => name).join("."), fields }];
    const isKnown = above.some((one) => one.message === message);
    return isKnown || field.fieldKind === "map" || message.typeName.startsWith("google.")
      ? []
      : leavesOf(message, fields);
  });
}

const isSecret = (field: DescField): boolean => getOption(field, secret);

function withValue([field, ...rest]: readonly DescField[], version: 0 | 1): JsonMessage {
  assert.ok(field !== undefined);
  const value = rest.length > 0 ? withValue(rest, version) : sampleOf(field, version);
  return { [field.jsonName]: field.fieldKind === "list" ? [value] : value };
}

function sampleOf(field: DescField, version: 0 | 1): unknown {
  if (field.scalar === ScalarType.BOOL) return version === 1;
  if (field.enum !== undefined) return field.enum.values[version]?.name;
  return `value-${version}`;
}

// Targets see the messages of version 2, whichever form is called.
const shown = Object.entries(services).filter(([name]) => !name.includes(".v2beta."));
const requests = (await Promise.all(shown.map(([, load]) => load())))
  .flatMap(({ methods }) => methods)
  .map(({ name, input }) => ({ name, input, leaves: leavesOf(input) }))
  .filter(({ leaves }) => leaves.some(({ fields }) => fields.some(isSecret)));

const changesDestination = (input: DescMessage, { fields }: Leaf): boolean =>
  areLedElsewhere(input, withValue(fields, 0), withValue(fields, 1));

test("every field that says where a secret of a request goes keeps targets from changing it (A29)", () => {
  assert.ok(requests.length > 80, `${requests.length} methods carry secrets`);
  const unknown = requests.flatMap(({ name, input, leaves }) =>
    leaves
      .filter(({ fields }) => {
        const last = fields.at(-1);
        if (last === undefined || fields.some(isSecret)) return false;
        return destination.test(last.name) && !elsewhere.some((one) => one.fields.test(last.name));
      })
      .filter((leaf) => !changesDestination(input, leaf))
      .map(({ path }) => `${name} ${path}`),
  );
  assert.deepEqual(unknown, [], "fields that rpc/secret-destinations.ts does not have");
});

test("the provider that a secret is stored for is where it goes (A29)", () => {
  const stored = requests.flatMap(({ name, input, leaves }) =>
    leaves
      .filter(({ path }) => /^(id|idp_id|provider_id)$/.test(path))
      .filter((leaf) => !changesDestination(input, leaf))
      .map(({ path }) => `${name} ${path}`),
  );
  assert.deepEqual(stored, []);
});

test("the request that a session's token answers is where it is used (A29)", () => {
  const answered = requests.flatMap(({ name, input, leaves }) =>
    leaves
      .filter(({ path }) =>
        /^(auth_request_id|saml_request_id|device_authorization_id|(.*\.)?consent_given)$/.test(path),
      )
      .map((leaf) => `${name} ${leaf.path} ${changesDestination(input, leaf)}`),
  );
  // Earlier forms of a method have its name and field.
  assert.deepEqual([...new Set(answered)].toSorted(), [
    "AuthorizeOrDenyDeviceAuthorization device_authorization_id true",
    "CreateCallback auth_request_id true",
    "CreateCallback consent_given true",
    "CreateResponse consent_given true",
    "CreateResponse saml_request_id true",
  ]);
});

test("other fields are free for targets to change", () => {
  const names = new Set(["name", "description", "sender_name", "given_name", "display_name", "user_id", "client_id"]);
  const kept = requests.flatMap(({ name, input, leaves }) =>
    leaves
      .filter(({ fields }) => names.has(fields.at(-1)?.name ?? ""))
      .filter((leaf) => changesDestination(input, leaf))
      .map(({ path }) => `${name} ${path}`),
  );
  assert.deepEqual(kept, []);
  const unused = elsewhere.filter(
    ({ fields }) => !requests.some(({ leaves }) => leaves.some((leaf) => fields.test(leaf.fields.at(-1)?.name ?? ""))),
  );
  assert.deepEqual(unused, [], "exceptions that nothing needs");
});
