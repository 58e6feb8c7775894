import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { testCertificate } from "../../support/http/test-certificate.ts";
import { requestOf } from "./request.ts";
import type { Row } from "./rows.ts";
import type { Objects } from "./tenant.ts";

/** Which of two requests: every field that is not a key has another value in the other. */
export type Variant = 0 | 1;

type Json = Record<string, unknown>;

/** Values that have a form which the contract does not tell, by the name of the field. */
const pairs: Readonly<Record<string, readonly [unknown, unknown]>> = {
  email: ["one@mail.example", "two@mail.example"],
  sender_address: ["one@mail.example", "two@mail.example"],
  reply_to_address: ["one@mail.example", "two@mail.example"],
  support_email: ["one@mail.example", "two@mail.example"],
  phone: ["+41791234561", "+41791234562"],
  sender_number: ["+41791234561", "+41791234562"],
  host: ["mail.example:25", "mail.example:26"],
  preferred_language: ["de", "fr"],
  default_redirect_uri: ["https://one.example/", "https://two.example/"],
  login_hint_header: ["x-one", "x-two"],
  header_name: ["x-one", "x-two"],
  min_length: [12, 13],
  grant_types: [["OIDC_GRANT_TYPE_IMPLICIT"], ["OIDC_GRANT_TYPE_IMPLICIT", "OIDC_GRANT_TYPE_REFRESH_TOKEN"]],
  clock_skew: ["1s", "2s"],
  timeout: ["3s", "4s"],
  servers: [["ldaps://one.example"], ["ldaps://two.example"]],
  root_ca: ["", btoa(testCertificate.cert)],
  allowed_origins: [["https://one.example"], ["https://two.example"]],
  additional_origins: [["https://one.example"], ["https://two.example"]],
  // Languages that an instance allows: its own has to be one of them.
  list: [
    ["en", "de"],
    ["en", "fr"],
  ],
  disallow_public_org_registration: [true, false],
};

const isAddress = /(?:endpoint|issuer|link|uris?|url)$/;
const isColor = /color(?:_dark)?$/;

/** The request of a row with one of two values in each field that names nothing. */
export function varied(row: Row, input: DescMessage, objects: Objects, variant: Variant): Json {
  const base = requestOf(row, input, objects);
  const request: Json = { ...base };
  for (const field of input.fields) {
    const isKey = field.jsonName in base && (field.jsonName in row.request || isNamed(field));
    if ((isKey && !(field.name in pairs)) || field.oneof !== undefined) continue;
    const value = sampleOf(field, variant);
    if (value !== undefined) request[field.jsonName] = value;
  }
  return request;
}

// What is filled with an id of the tenant, or stands for a thing by its key.
const isNamed = (field: DescField): boolean =>
  /(?:^id|_id|_ids|_key|_keys|^key|^language|^roles|^domain)$/.test(field.name);

function sampleOf(field: DescField, variant: Variant): unknown {
  if (field.fieldKind === "map" || isNamed(field)) return undefined;
  const pair = pairs[field.name];
  // Words of a page may have the name of a number.
  if (pair !== undefined && !(field.scalar === ScalarType.STRING && typeof pair[0] === "number")) return pair[variant];
  const value = field.message === undefined ? scalarOf(field, variant) : messageOf(field.message, variant);
  return field.fieldKind === "list" && value !== undefined ? [value] : value;
}

function messageOf(message: DescMessage, variant: Variant): unknown {
  if (message.typeName === "google.protobuf.Duration") return variant === 0 ? "3600s" : "7200s";
  if (message.typeName === "google.protobuf.Timestamp")
    return variant === 0 ? "2100-01-01T00:00:00Z" : "2101-01-01T00:00:00Z";
  const values: Json = {};
  for (const field of message.fields) {
    if (field.oneof !== undefined) continue;
    const value = sampleOf(field, variant);
    if (value !== undefined) values[field.jsonName] = value;
  }
  return Object.keys(values).length === 0 ? undefined : values;
}

function scalarOf(field: DescField, variant: Variant): unknown {
  if (field.enum !== undefined) {
    const values = field.enum.values.filter(({ number }) => number !== 0);
    return (variant === 0 ? values[0] : (values[1] ?? field.enum.values[0]))?.name;
  }
  switch (field.scalar) {
    case ScalarType.BOOL:
      return (field.number + variant) % 2 === 0;
    case ScalarType.STRING: {
      const word = variant === 0 ? "one" : "two";
      if (isAddress.test(field.name)) return `https://${word}.example/`;
      return isColor.test(field.name) ? ["#112233", "#445566"][variant] : word;
    }
    case ScalarType.BYTES:
      return ["AAEC", "AAED"][variant];
    default:
      // The first of two numbers is the larger one: days after which something ends, and days before that.
      return 30 - 2 * field.number + variant;
  }
}
