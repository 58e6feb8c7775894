/**
 * Writes what reflection and documentation read on request: every file of the contract as a serialized
 * FileDescriptorProto, and where each name is declared. They are separate files, so that a server without such requests
 * pays nothing, and two changes of the contract meet in one of them only where they meet in a `.proto`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  type FieldDescriptorProto,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";

/** Writes `descriptors/` for the image (a serialized FileDescriptorSet with source information). */
export function writeDescriptors(image: Uint8Array, directory: string): void {
  const { file: files } = fromBinary(FileDescriptorSetSchema, image);
  for (const file of files) {
    const path = join(directory, "descriptors", file.name.replace(/\.proto$/, ".binpb"));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, toBinary(FileDescriptorProtoSchema, withComments(file), { writeUnknownFields: true }));
  }
  writeFileSync(join(directory, "descriptors.json"), indexOf(files));
}

/** Returns the file with the comments that its readers see; those of foreign files are long, and not read here. */
function withComments(file: FileDescriptorProto): FileDescriptorProto {
  const { sourceCodeInfo } = file;
  if (sourceCodeInfo === undefined) return file;
  const isOurs = file.name.startsWith("service/");
  sourceCodeInfo.location = sourceCodeInfo.location
    .filter(({ leadingComments, trailingComments }) => isOurs && (leadingComments || trailingComments))
    .map((location) => ({ ...location, leadingDetachedComments: [] }));
  return file;
}

/** One line for each name, so that two changes merge. */
function indexOf(files: readonly FileDescriptorProto[]): string {
  const symbols = files.flatMap((file) => symbolsOf(file).map((symbol) => [symbol, file.name] as const));
  const extensions = files.flatMap((file) =>
    extensionsOf(file).map(({ extendee, number }) => [`${extendee.slice(1)} ${number}`, file.name] as const),
  );
  return `{\n"symbols": ${lines(symbols)},\n"extensions": ${lines(extensions)}\n}\n`;
}

const lines = (entries: readonly (readonly [string, string])[]): string =>
  `{\n${entries
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .sort()
    .join(",\n")}\n}`;

/** Returns what stands at the top of a file; what is inside of it is found by the name around it. */
const symbolsOf = (file: FileDescriptorProto): string[] =>
  [file.messageType, file.enumType, file.service, file.extension].flatMap((declared) =>
    declared.map(({ name }) => `${file.package}.${name}`),
  );

function extensionsOf({ extension, messageType }: FileDescriptorProto): FieldDescriptorProto[] {
  const inside = (message: DescriptorProto): FieldDescriptorProto[] => [
    ...message.extension,
    ...message.nestedType.flatMap(inside),
  ];
  return [...extension, ...messageType.flatMap(inside)];
}
