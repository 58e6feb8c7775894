import type { DescEnum, DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { type ApiCall, organizationHeader } from "../call.ts";
import { isSecret, maskedFields, placeholderOf } from "./plain.ts";

interface Names {
  /** Names that the code imports, by module. */
  readonly imports: Map<string, Set<string>>;
  /** Fields that are written even where they are false, 0 or empty. */
  readonly kept: ReadonlySet<DescField>;
}

/** Returns a call as a program that uses the package of the API. */
export function toTypeScript(call: ApiCall, origin: string): string {
  const { method, input, organizationId } = call;
  const service = method.parent;
  const names: Names = { imports: new Map(), kept: new Set(maskedFields(call).flat()) };
  importFrom(names, service.file.name, service.name);
  const client = service.name
    .replace(/Service$/, "")
    .replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (first) => first.toLowerCase());
  const request = messageLiteral(names, method.input, input, "");
  const needsOrganization = service.typeName.includes(".v1.") && organizationId !== undefined;
  const options = needsOrganization
    ? `, { headers: { "${organizationHeader}": ${JSON.stringify(organizationId)} } }`
    : "";
  const imports = [...names.imports].map(
    ([module, found]) => `import { ${[...found].sort().join(", ")} } from "@doorward/api/${module}_pb";`,
  );
  return `import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
${imports.join("\n")}

const transport = createConnectTransport({
  baseUrl: ${JSON.stringify(origin)},
  httpVersion: "1.1",
  interceptors: [
    (next) => (request) => {
      request.header.set("authorization", \`Bearer \${process.env["DOORWARD_TOKEN"]}\`);
      return next(request);
    },
  ],
});

const ${client} = createClient(${service.name}, transport);
const answer = await ${client}.${method.localName}(${request}${options});
`;
}

function importFrom({ imports }: Names, module: string, name: string): void {
  imports.set(module, (imports.get(module) ?? new Set()).add(name));
}

type Values = Readonly<Record<string, unknown>>;

function messageLiteral(names: Names, schema: DescMessage, message: Message, indent: string): string {
  const inner = `${indent}  `;
  const values = message as unknown as Values;
  const members = schema.members.flatMap((member): string[] => {
    if (member.kind === "oneof") {
      const chosen = values[member.localName] as { readonly case?: string; readonly value?: unknown } | undefined;
      const field = member.fields.find(({ localName }) => localName === chosen?.case);
      if (field === undefined) return [];
      const value = valueLiteral(names, field, chosen?.value, inner);
      return [`${member.localName}: { case: ${JSON.stringify(field.localName)}, value: ${value} }`];
    }
    const value = values[member.localName];
    return value === undefined || (isEmpty(value) && !names.kept.has(member))
      ? []
      : [`${member.localName}: ${valueLiteral(names, member, value, inner)}`];
  });
  return members.length === 0 ? "{}" : `{\n${members.map((one) => `${inner}${one},\n`).join("")}${indent}}`;
}

const isEmpty = (value: unknown): boolean =>
  value === "" || value === 0 || value === 0n || value === false || (Array.isArray(value) && value.length === 0);

function valueLiteral(names: Names, field: DescField, value: unknown, indent: string): string {
  if (isSecret(field)) return JSON.stringify(placeholderOf(field));
  if (field.fieldKind === "list") {
    return `[${(value as readonly unknown[]).map((item) => itemLiteral(names, field, item, indent)).join(", ")}]`;
  }
  if (field.fieldKind === "map") {
    const entries = Object.entries(value as Values).map(
      ([key, item]) => `${JSON.stringify(key)}: ${itemLiteral(names, field, item, indent)}`,
    );
    return `{ ${entries.join(", ")} }`;
  }
  return itemLiteral(names, field, value, indent);
}

function itemLiteral(names: Names, { message, enum: values }: DescField, item: unknown, indent: string): string {
  // A struct is plain JSON in this library.
  if (message?.typeName === "google.protobuf.Struct") return JSON.stringify(item);
  if (message !== undefined) return messageLiteral(names, message, item as Message, indent);
  if (values !== undefined) return enumLiteral(names, values, Number(item));
  if (typeof item === "bigint") return `${item}n`;
  if (item instanceof Uint8Array) return `Uint8Array.from([${item.join(", ")}])`;
  return JSON.stringify(item);
}

function enumLiteral(names: Names, schema: DescEnum, number: number): string {
  const value = schema.value[number];
  if (value === undefined) return String(number);
  importFrom(names, schema.file.name, schema.name);
  return `${schema.name}.${value.localName}`;
}
