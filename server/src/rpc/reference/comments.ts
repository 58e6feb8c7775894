import type { DescriptorProto, EnumDescriptorProto, FileDescriptorProto } from "@bufbuild/protobuf/wkt";

/**
 * Reads the comments of the contract by the full name of their declaration; members of a type by `<type>.<member>`.
 * Paths are those of SourceCodeInfo.Location: field numbers of the descriptor messages, each with an index.
 */
export function readComments(files: Iterable<FileDescriptorProto>): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  for (const file of files) {
    const byPath = new Map(
      file.sourceCodeInfo?.location.map(({ path, leadingComments, trailingComments }) => [
        path.join(),
        toText(leadingComments || trailingComments),
      ]),
    );
    for (const [path, name] of namesIn(file)) {
      const text = byPath.get(path);
      if (text !== undefined) comments.set(name, text);
    }
  }
  return comments;
}

/** Returns paragraphs separated by empty lines; wrapped lines are joined. */
function toText(comment: string): string {
  const paragraphs = comment.trim().split(/\n[ \t]*\n/);
  return paragraphs.map((paragraph) => paragraph.trim().replace(/\s*\n\s*/g, " ")).join("\n\n");
}

function* namesIn(file: FileDescriptorProto): Iterable<readonly [path: string, name: string]> {
  const prefix = `${file.package}.`;
  for (const [index, message] of file.messageType.entries()) yield* namesInMessage(message, `4,${index}`, prefix);
  for (const [index, declared] of file.enumType.entries()) yield* namesInEnum(declared, `5,${index}`, prefix);
  for (const [index, service] of file.service.entries()) {
    const path = `6,${index}`;
    yield [path, prefix + service.name];
    for (const [methodIndex, { name }] of service.method.entries()) {
      yield [`${path},2,${methodIndex}`, `${prefix}${service.name}.${name}`];
    }
  }
}

function* namesInMessage(message: DescriptorProto, path: string, prefix: string): Iterable<readonly [string, string]> {
  const own = prefix + message.name;
  yield [path, own];
  for (const [index, { name }] of message.field.entries()) yield [`${path},2,${index}`, `${own}.${name}`];
  for (const [index, { name }] of message.oneofDecl.entries()) yield [`${path},8,${index}`, `${own}.${name}`];
  for (const [index, nested] of message.nestedType.entries()) {
    yield* namesInMessage(nested, `${path},3,${index}`, `${own}.`);
  }
  for (const [index, nested] of message.enumType.entries()) yield* namesInEnum(nested, `${path},4,${index}`, `${own}.`);
}

function* namesInEnum(
  declared: EnumDescriptorProto,
  path: string,
  prefix: string,
): Iterable<readonly [string, string]> {
  yield [path, prefix + declared.name];
  for (const [index, { name }] of declared.value.entries()) {
    yield [`${path},2,${index}`, `${prefix}${declared.name}.${name}`];
  }
}
