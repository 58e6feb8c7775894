import { create, type DescMessage, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";

/** Creates a message from the fields of another that have the same names and types, and from `own`. */
export function sameFields<Desc extends DescMessage>(
  schema: Desc,
  source: object,
  own: MessageInitShape<Desc>,
): MessageShape<Desc> {
  const values = source as Readonly<Record<string, unknown>>;
  const same: Record<string, unknown> = {};
  for (const { localName } of schema.fields) if (values[localName] !== undefined) same[localName] = values[localName];
  return create(schema, { ...same, ...own } as MessageInitShape<Desc>);
}
