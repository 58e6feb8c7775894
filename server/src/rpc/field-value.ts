import type { DescField, Message } from "@bufbuild/protobuf";

/** A message as a plain object. */
export type Properties = Readonly<Record<string, unknown>>;

/**
 * Returns the value of a field, or undefined when it is not set. Reads the message's properties directly: reflection
 * would wrap every message in a request or in a list of a thousand records.
 */
export function fieldValue(message: Message | Properties, field: DescField): unknown {
  const properties = message as Properties;
  if (field.oneof === undefined) return properties[field.localName];
  const member = properties[field.oneof.localName] as { case?: string; value?: unknown } | undefined;
  return member?.case === field.localName ? member.value : undefined;
}
