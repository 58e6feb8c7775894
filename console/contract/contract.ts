import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { fromBinary } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";

/** A declaration of a generated module: `messageDesc(file_…, 3, 0)` describes the first message within the fourth. */
export interface Declaration {
  readonly name: string;
  readonly kind: "messageDesc" | "enumDesc" | "serviceDesc" | "extDesc" | "tsEnum";
  readonly index: readonly number[];
}

/** A module that was generated from a file of the contract. */
export interface Module {
  /** How it is imported, without `@doorward/api/`. */
  readonly path: string;
  readonly text: string;
  /** The name by which other modules import the description of the file. */
  readonly variable: string;
  readonly file: FileDescriptorProto;
  readonly declarations: readonly Declaration[];
}

/** A message or an enumeration, and the message that it is within. */
interface Type {
  readonly module: Module;
  readonly proto: DescriptorProto | EnumDescriptorProto;
  readonly within: string | undefined;
}

/** The modules of the contract by path, and its types by their full names, which begin with a dot. */
export interface Contract {
  readonly modules: ReadonlyMap<string, Module>;
  readonly types: ReadonlyMap<string, Type>;
}

/** Reads the modules that were generated from the contract. */
export async function readContract(folder: string): Promise<Contract> {
  const modules = new Map<string, Module>();
  const types = new Map<string, Type>();
  for await (const name of glob("**/*_pb.js", { cwd: folder })) {
    const module = readModule(name.replace(/\.js$/, ""), readFileSync(join(folder, name), "utf8"));
    modules.set(module.path, module);
    addTypes(types, module);
  }
  return { modules, types };
}

function readModule(path: string, text: string): Module {
  const [, variable, encoded] = /export const (file_\w+) = [^"]*fileDesc\("([^"]*)"/.exec(text) ?? [];
  if (variable === undefined || encoded === undefined) throw new Error(`${path} describes no file`);
  const declarations = [...text.matchAll(declaration)].map(([, name = "", kind, , index = ""]) => ({
    name,
    kind: kind as Declaration["kind"],
    index: index.split(",").filter(Boolean).map(Number),
  }));
  const file = fromBinary(FileDescriptorProtoSchema, Buffer.from(encoded, "base64"));
  return { path, text, variable, file, declarations };
}

const declaration =
  /export const (\w+) = \/\*@__PURE__\*\/\s*(messageDesc|enumDesc|serviceDesc|extDesc|tsEnum)\((\w+)((?:, \d+)*)\)/g;

function addTypes(types: Map<string, Type>, module: Module): void {
  const { file } = module;
  const add = (
    messages: readonly DescriptorProto[],
    enums: readonly EnumDescriptorProto[],
    scope: string,
    within?: string,
  ): void => {
    for (const proto of enums) types.set(`${scope}.${proto.name}`, { module, proto, within });
    for (const proto of messages) {
      const name = `${scope}.${proto.name}`;
      types.set(name, { module, proto, within });
      add(proto.nestedType, proto.enumType, name, name);
    }
  };
  add(file.messageType, file.enumType, `.${file.package}`);
}
