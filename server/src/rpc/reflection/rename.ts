import type { DescriptorProto, FieldDescriptorProto, FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import { withInnerWord, withWord } from "../namespace.ts";

/**
 * Replaces our word in a file by another: in its name, its package, its imports, and every type that it refers to.
 * Modifies its argument.
 */
export function renameFile(file: FileDescriptorProto, word: string): FileDescriptorProto {
  file.name = withWord(file.name, word);
  file.package = withWord(file.package, word);
  file.dependency = file.dependency.map((name) => withWord(name, word));
  for (const field of file.extension) renameField(field, word);
  for (const message of file.messageType) {
    message.name = withInnerWord(message.name, word);
    renameMessage(message, word);
  }
  for (const method of file.service.flatMap((service) => service.method)) {
    method.name = withInnerWord(method.name, word);
    method.inputType = withTypeWord(method.inputType, word);
    method.outputType = withTypeWord(method.outputType, word);
  }
  return file;
}

function renameMessage(message: DescriptorProto, word: string): void {
  for (const field of [...message.field, ...message.extension]) renameField(field, word);
  for (const nested of message.nestedType) renameMessage(nested, word);
}

function renameField(field: FieldDescriptorProto, word: string): void {
  if (field.typeName !== "") field.typeName = withTypeWord(field.typeName, word);
  if (field.extendee !== "") field.extendee = withTypeWord(field.extendee, word);
}

// Type names begin with a dot before the package.
const withTypeWord = (type: string, word: string): string => `.${withInnerWord(withWord(type.slice(1), word), word)}`;
