import type { DescriptorProto } from "@bufbuild/protobuf/wkt";
import type { Contract, Declaration, Module } from "./contract.ts";
import type { Usage } from "./usage.ts";

/** The part of the contract that sources can reach. */
export interface Kept {
  /** Full names of messages and enumerations. */
  readonly types: ReadonlySet<string>;
  /** Services with the methods that are called, each as `service.user.v2.UserService/GetUserByID`. */
  readonly services: ReadonlySet<string>;
  readonly methods: ReadonlySet<string>;
  /** Numbers of the options that are read. */
  readonly options: ReadonlySet<number>;
}

/** Returns what sources reach: what they import, the methods that they name, and all that messages of these contain. */
export function keptOf(contract: Contract, usage: Usage): Kept {
  const types = new Set<string>();
  const services = new Set<string>();
  const methods = new Set<string>();
  const options = new Set<number>();
  const keepType = (name: string): void => {
    const type = contract.types.get(name);
    // Those of Google are in their own package.
    if (type === undefined || types.has(name)) return;
    types.add(name);
    if (type.within !== undefined) keepType(type.within);
    if (type.proto.$typeName === "google.protobuf.DescriptorProto") {
      for (const field of type.proto.field) keepType(field.typeName);
    }
  };
  const keepService = ({ file }: Module, index: number): void => {
    const service = file.service[index];
    if (service === undefined) return;
    const name = `${file.package}.${service.name}`;
    services.add(name);
    for (const method of service.method) {
      if (!usage.words.has(localName(method.name))) continue;
      methods.add(`${name}/${method.name}`);
      keepType(method.inputType);
      keepType(method.outputType);
    }
  };
  const keepOption = ({ file }: Module, index: number): void => {
    const option = file.extension[index];
    if (option === undefined) return;
    options.add(option.number);
    keepType(option.typeName);
  };
  for (const [path, values] of usage.imports) {
    const module = contract.modules.get(path);
    if (module === undefined) throw new Error(`the contract has no ${path}`);
    for (const value of values) {
      const { kind, index } = declarationOf(module, value);
      if (kind === "serviceDesc") keepService(module, index[0] ?? 0);
      else if (kind === "extDesc") keepOption(module, index[0] ?? 0);
      else keepType(nameAt(module, kind, index));
    }
  }
  return { types, services, methods, options };
}

/** The name of a method in TypeScript. */
const localName = (name: string): string => `${name.charAt(0).toLowerCase()}${name.slice(1)}`;

/** Returns the declaration of a value; of an enumeration, that of its description. */
function declarationOf(module: Module, value: string): Declaration {
  const find = (name: string) => module.declarations.find((each) => each.name === name);
  const found = find(value);
  const declaration = found?.kind === "tsEnum" ? find(`${value}Schema`) : found;
  if (declaration === undefined) throw new Error(`${module.path} does not export ${value}`);
  return declaration;
}

/** Returns the full name of what a declaration describes. */
export function nameAt({ file }: Module, kind: Declaration["kind"], index: readonly number[]): string {
  const outer = kind === "enumDesc" ? index.slice(0, -1) : index;
  let scope = `.${file.package}`;
  let messages: readonly DescriptorProto[] = file.messageType;
  let enums = file.enumType;
  for (const at of outer) {
    const message = messages[at];
    if (message === undefined) throw new Error(`${scope} has no message ${at}`);
    scope = `${scope}.${message.name}`;
    messages = message.nestedType;
    enums = message.enumType;
  }
  return kind === "enumDesc" ? `${scope}.${enums[index.at(-1) ?? 0]?.name}` : scope;
}
