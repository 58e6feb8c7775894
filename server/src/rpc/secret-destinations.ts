import type { DescMessage } from "@bufbuild/protobuf";
import { isRecord } from "../base/json.ts";
import type { JsonMessage } from "../extension/index.ts";

/** Fields of the contract that say where a secret beside them is sent or used, or whether it is sent in the clear. */
const names: ReadonlySet<string> = new Set([
  "auth_request_id",
  "authorization_endpoint",
  "bucket",
  "consent_given",
  "device_authorization_id",
  "endpoint",
  "host",
  "issuer",
  "jwt_endpoint",
  "keys_endpoint",
  "root_ca",
  "saml_request_id",
  "servers",
  "sid",
  "ssl",
  "start_tls",
  "tenant",
  "tls",
  "token_endpoint",
  "user_endpoint",
]);

/**
 * Fields of a request that name the provider for which its secrets are stored: another provider has a server of its
 * own.
 */
const providerNames: ReadonlySet<string> = new Set(["id", "idp_id"]);

/**
 * Whether two versions of a message, in canonical Proto3 JSON, send its secrets to different places. A target that saw
 * a secret only concealed could otherwise have it sent to a server of its own.
 */
export const areLedElsewhere = (descriptor: DescMessage, before: JsonMessage, after: JsonMessage): boolean =>
  JSON.stringify(destinationsOf(descriptor, before)) !== JSON.stringify(destinationsOf(descriptor, after));

function destinationsOf(descriptor: DescMessage, message: JsonMessage): readonly unknown[] {
  const named = descriptor.fields.filter(({ name }) => providerNames.has(name));
  return [named.map(({ jsonName }) => message[jsonName] ?? ""), destinationsIn(descriptor, message)];
}

function destinationsIn(descriptor: DescMessage, message: JsonMessage): readonly unknown[] {
  return descriptor.fields.flatMap((field): readonly unknown[] => {
    const value = message[field.jsonName];
    if (value === undefined || value === null) return [];
    if (names.has(field.name)) return [[field.name, value]];
    const { message: inner } = field;
    if (inner === undefined || field.fieldKind === "map" || inner.typeName.startsWith("google.")) return [];
    const found = (Array.isArray(value) ? value : [value]).flatMap((one) =>
      isRecord(one) ? destinationsIn(inner, one) : [],
    );
    return found.length === 0 ? [] : [[field.name, found]];
  });
}
