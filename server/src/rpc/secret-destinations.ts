import type { DescMessage } from "@bufbuild/protobuf";
import { isRecord } from "../base/json.ts";
import type { JsonMessage } from "../extension/index.ts";

/** Fields of the contract that say where a secret beside them is sent, or whether it is sent in the clear. */
const names: ReadonlySet<string> = new Set([
  "authorization_endpoint",
  "bucket",
  "endpoint",
  "host",
  "issuer",
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
 * Whether two versions of a message, in canonical Proto3 JSON, send its secrets to different places. A target that saw a
 * secret only concealed could otherwise have it sent to a server of its own.
 */
export const areLedElsewhere = (descriptor: DescMessage, before: JsonMessage, after: JsonMessage): boolean =>
  JSON.stringify(destinationsIn(descriptor, before)) !== JSON.stringify(destinationsIn(descriptor, after));

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
