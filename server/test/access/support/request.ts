import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { isRequired, rulesOf } from "../../../src/rpc/reference/schema-of-rules.ts";
import { testCertificate } from "../../support/http/test-certificate.ts";
import type { Row } from "./rows.ts";
import type { Objects } from "./tenant.ts";

type Json = Record<string, unknown>;

/** Which object a field names, whatever method it is of. */
const byFieldName: Readonly<Record<string, string>> = {
  user_id: "user",
  organization_id: "organization",
  org_id: "organization",
  project_id: "project",
  application_id: "application",
  app_id: "application",
  grant_id: "grant",
  instance_id: "instance",
  session_id: "session",
  target_id: "target",
  granted_organization_id: "grantedOrganization",
};

const values: Readonly<Record<string, unknown>> = {
  language: "en",
  role_key: "reader",
  role_keys: ["reader"],
  email: "new@mail.example",
  receiver_address: "new@mail.example",
  sender_address: "new@mail.example",
  phone: "+41791234567",
  host: "mail.example:25",
  endpoint: "https://hooks.example/",
  issuer: "https://issuer.example",
  authorization_endpoint: "https://issuer.example/authorize",
  token_endpoint: "https://issuer.example/token",
  user_endpoint: "https://issuer.example/user",
  jwt_endpoint: "https://issuer.example/jwt",
  keys_endpoint: "https://issuer.example/keys",
  servers: ["ldaps://ldap.example"],
  team_id: "TEAM123456",
  key_id: "KEY1234567",
  private_key: btoa(testCertificate.key),
  expiration_date: "2100-01-01T00:00:00Z",
};

/**
 * The request of a row for the objects of a tenant: what it needs, filled by the names of fields, and what the row
 * says.
 */
export function requestOf(row: Row, input: DescMessage, objects: Objects): Json {
  const filled: Json = {};
  for (const field of input.fields) {
    if (field.oneof !== undefined && !field.proto.proto3Optional) continue;
    const object = field.name === "id" ? row.about : byFieldName[field.name];
    const id = object === undefined ? undefined : objects[object];
    if (id !== undefined) filled[field.jsonName] = id;
    else if (isRequired(field)) filled[field.jsonName] = sampleOf(field);
  }
  const request = { ...filled, ...(withObjects(row.request, objects) as Json) };
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null));
}

function sampleOf(field: DescField): unknown {
  if (field.name in values) return values[field.name];
  const sample = field.message === undefined ? scalarSample(field) : messageSample(field.message);
  return field.fieldKind === "list" ? [sample] : sample;
}

function messageSample(message: DescMessage): unknown {
  if (message.typeName === "google.protobuf.Timestamp") return "2100-01-01T00:00:00Z";
  if (message.typeName === "google.protobuf.Duration") return "10s";
  if (message.typeName === "google.protobuf.FieldMask") return "";
  const needed = message.fields.filter((field) => field.oneof === undefined && isRequired(field));
  return Object.fromEntries(needed.map((field) => [field.jsonName, sampleOf(field)]));
}

function scalarSample(field: DescField): unknown {
  if (field.enum !== undefined) return field.enum.values[1]?.name;
  const rules = rulesOf(field);
  if (field.scalar === ScalarType.STRING) {
    const email = rules?.kind.case === "string" && rules.kind.value.email;
    return email ? "new@mail.example" : "sample";
  }
  if (field.scalar === ScalarType.BYTES) return "AAEC";
  return field.scalar === ScalarType.BOOL ? true : 1;
}

// `$user` anywhere in a row stands for the object of the tenant.
function withObjects(value: unknown, objects: Objects): unknown {
  if (typeof value === "string") {
    if (!value.startsWith("$")) return value;
    const id = objects[value.slice(1)];
    if (id === undefined) throw new Error(`there is no object ${value}`);
    return id;
  }
  if (Array.isArray(value)) return value.map((each) => withObjects(each, objects));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withObjects(each, objects)]));
}
