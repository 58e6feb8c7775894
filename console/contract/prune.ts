import { type Message, toBinary } from "@bufbuild/protobuf";
import { type DescriptorProto, type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { Contract, Declaration, Module } from "./contract.ts";
import { type Kept, nameAt } from "./kept.ts";

/** Returns the text of a generated module with nothing but what is kept. */
export function prune(contract: Contract, kept: Kept, module: Module): string {
  const exported = module.declarations.flatMap((declaration) => {
    const index = indexAfter(kept, module, declaration);
    return index === undefined ? [] : [{ ...declaration, index }];
  });
  const file = pruneFile(kept, module.file);
  const needed = new Set(referencedTypes(file).map((name) => contract.types.get(name)?.module.variable));
  const isNeeded = (variable: string): boolean => isOfGoogle(variable) || needed.has(variable);
  const imports = [...module.text.matchAll(/^import \{ ([\w, ]+) \} from ("[^"]+");$/gm)].flatMap(
    ([, names = "", from = ""]) =>
      names
        .split(", ")
        .filter((name) => name.startsWith("file_") && isNeeded(name))
        .map((name) => ({ name, from })),
  );
  const kinds = new Set(["fileDesc", ...exported.map(({ kind }) => kind)]);
  const encoded = Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString("base64").replace(/=+$/, "");
  return [
    `import { ${[...kinds].join(", ")} } from "@bufbuild/protobuf/codegenv2";`,
    ...imports.map(({ name, from }) => `import { ${name} } from ${from};`),
    `export const ${module.variable} = /*@__PURE__*/ fileDesc("${encoded}", [${imports.map(({ name }) => name).join(", ")}]);`,
    ...exported.map(
      ({ name, kind, index }) =>
        `export const ${name} = /*@__PURE__*/ ${kind}(${kind === "tsEnum" ? `${name}Schema` : [module.variable, ...index].join(", ")});`,
    ),
  ].join("\n");
}

// They are in a package that the program has anyway.
const isOfGoogle = (variable: string): boolean => variable.startsWith("file_google_protobuf_");

/** Where a declaration finds what it describes when the rest is gone; undefined when it is gone itself. */
function indexAfter(kept: Kept, module: Module, { name, kind, index }: Declaration): readonly number[] | undefined {
  const { file } = module;
  const [first = 0] = index;
  if (kind === "tsEnum") {
    const schema = module.declarations.find((each) => each.name === `${name}Schema`);
    return schema && indexAfter(kept, module, schema) && [];
  }
  if (kind === "serviceDesc") return after(file.service, first, isKeptService(kept, file));
  if (kind === "extDesc") return after(file.extension, first, ({ number }) => kept.options.has(number));
  if (!kept.types.has(nameAt(module, kind, index))) return undefined;
  const result: number[] = [];
  let scope = `.${file.package}`;
  let { messageType: messages, enumType: enums }: Pick<FileDescriptorProto, "messageType" | "enumType"> = file;
  for (const [depth, at] of index.entries()) {
    const isEnum = kind === "enumDesc" && depth === index.length - 1;
    const siblings: readonly { readonly name: string }[] = isEnum ? enums : messages;
    const isKept = (each: { readonly name: string }): boolean => kept.types.has(`${scope}.${each.name}`);
    result.push(siblings.slice(0, at).filter(isKept).length);
    if (isEnum) break;
    const message = messages[at] as DescriptorProto;
    scope = `${scope}.${message.name}`;
    messages = message.nestedType;
    enums = message.enumType;
  }
  return result;
}

function after<Item>(
  items: readonly Item[],
  at: number,
  isKept: (item: Item) => boolean,
): readonly number[] | undefined {
  const item = items[at];
  return item !== undefined && isKept(item) ? [items.slice(0, at).filter(isKept).length] : undefined;
}

const isKeptService =
  (kept: Kept, file: FileDescriptorProto) =>
  ({ name }: { readonly name: string }): boolean =>
    kept.services.has(`${file.package}.${name}`);

function pruneFile(kept: Kept, file: FileDescriptorProto): FileDescriptorProto {
  const { options: _options, ...rest } = file;
  const scope = `.${file.package}`;
  return {
    ...rest,
    messageType: pruneMessages(kept, scope, file.messageType),
    enumType: file.enumType.filter(({ name }) => kept.types.has(`${scope}.${name}`)),
    extension: file.extension.filter(({ number }) => kept.options.has(number)),
    service: file.service.filter(isKeptService(kept, file)).map((service) => ({
      ...service,
      method: service.method
        .filter(({ name }) => kept.methods.has(`${file.package}.${service.name}/${name}`))
        .map((method) => withOptions(kept, method)),
    })),
  };
}

const pruneMessages = (kept: Kept, scope: string, messages: readonly DescriptorProto[]): DescriptorProto[] =>
  messages
    .filter(({ name }) => kept.types.has(`${scope}.${name}`))
    .map((message) => ({
      ...withOptions(kept, message),
      field: message.field.map((field) => withOptions(kept, field)),
      nestedType: pruneMessages(kept, `${scope}.${message.name}`, message.nestedType),
      enumType: message.enumType.filter(({ name }) => kept.types.has(`${scope}.${message.name}.${name}`)),
    }));

/** Without the options of others than the language itself, but those that are read. */
function withOptions<Item extends { options?: Message | undefined }>(kept: Kept, item: Item): Item {
  const { options } = item;
  if (options?.$unknown === undefined) return item;
  return { ...item, options: { ...options, $unknown: options.$unknown.filter(({ no }) => kept.options.has(no)) } };
}

function referencedTypes(file: FileDescriptorProto): string[] {
  const ofMessages = (messages: readonly DescriptorProto[]): string[] =>
    messages.flatMap(({ field, nestedType }) => [...field.map(({ typeName }) => typeName), ...ofMessages(nestedType)]);
  return [
    ...ofMessages(file.messageType),
    ...file.extension.map(({ typeName }) => typeName),
    ...file.service.flatMap(({ method }) => method.flatMap(({ inputType, outputType }) => [inputType, outputType])),
  ];
}
