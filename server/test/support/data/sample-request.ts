import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { isRequired, rulesOf } from "../../../src/rpc/reference/schema-of-rules.ts";
import { testCertificate } from "../http/test-certificate.ts";

/** Values by which operations tell one kind of text from another, by the name of the field. */
const byName: Readonly<Record<string, string>> = {
  language: "en",
  default_language: "en",
  languages: "en",
  host: "mail.example:25",
  endpoint: "https://hooks.example/",
  issuer: "https://issuer.example",
  servers: "ldaps://ldap.example",
  private_key: btoa(testCertificate.key),
  expiration_date: "2100-01-01T00:00:00Z",
};

/**
 * A request that passes the rules of the contract: what has to be there is filled with samples, all else is left out.
 */
export function sampleRequest(input: DescMessage): Record<string, unknown> {
  const isAlone = (field: DescField): boolean => field.oneof === undefined || field.proto.proto3Optional;
  const needed = input.fields.filter((field) => isAlone(field) && isRequired(field));
  return Object.fromEntries(needed.map((field) => [field.jsonName, sampleOf(field)]));
}

function sampleOf(field: DescField): unknown {
  if (field.fieldKind === "map") return {};
  const named = byName[field.name];
  const sample = named ?? (field.message === undefined ? scalarSample(field) : messageSample(field.message));
  return field.fieldKind === "list" ? [sample] : sample;
}

function messageSample(message: DescMessage): unknown {
  if (message.typeName === "google.protobuf.Timestamp") return "2100-01-01T00:00:00Z";
  if (message.typeName === "google.protobuf.Duration") return "10s";
  if (message.typeName === "google.protobuf.FieldMask") return "sample";
  return sampleRequest(message);
}

function scalarSample(field: DescField): unknown {
  if (field.enum !== undefined) return field.enum.values[1]?.name ?? field.enum.values[0]?.name;
  const rules = rulesOf(field)?.kind;
  if (field.scalar === ScalarType.BYTES) return "AAEC";
  if (field.scalar === ScalarType.BOOL) return true;
  if (field.scalar !== ScalarType.STRING) return 1;
  if (rules?.case !== "string") return "sample";
  if (rules.value.email) return "new@mail.example";
  const length = rules.value.len ?? Math.max(rules.value.minLen ?? 0, "sample".length);
  return (rules.value.prefix ?? "") + "sample".repeat(Math.ceil(length / "sample".length)).slice(0, length);
}
