import type { DescField, Message } from "@bufbuild/protobuf";

/** A message as the plain object that it is. */
export type Properties = Readonly<Record<string, unknown>>;

/**
 * Value of a field, or undefined when it is not set. Reads the message's properties directly: reflection would wrap every message
 * that a request or a list of a thousand records contains.
 */
export function fieldValue(message: Message | Properties, field: DescField): unknown {
  const properties = message as Properties;
  if (field.oneof === undefined) return properties[field.localName];
  const member = properties[field.oneof.localName] as { case?: string; value?: unknown } | undefined;
  return member?.case === field.localName ? member.value : undefined;
}
