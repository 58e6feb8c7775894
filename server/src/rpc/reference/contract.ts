import { create, createFileRegistry, type DescMethod, type DescService } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { type Method as MethodRow, methods } from "@doorward/api/methods";
import { createDescriptorFiles } from "../reflection/descriptor-files.ts";
import { readComments } from "./comments.ts";

/** The contract with its documentation. */
export interface Contract {
  readonly services: readonly ContractService[];
  /** Returns the comment on a declaration or a member (`service.user.v2.User.user_id`); empty without one. */
  commentOf(name: string): string;
}

export interface ContractService {
  readonly descriptor: DescService;
  readonly methods: readonly ContractMethod[];
}

/** A method: its descriptor, and its routes and access from the table. */
export interface ContractMethod {
  readonly descriptor: DescMethod;
  readonly row: MethodRow;
}

/**
 * Reads the whole contract. It takes some hundred milliseconds, and memory that should be freed, so it is meant for a
 * separate process.
 */
export async function loadContract(): Promise<Contract> {
  const files = createDescriptorFiles();
  const descriptors = await Promise.all(
    (await files.list()).map(async (name) => (await files.parse(name)) as FileDescriptorProto),
  );
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: inOrder(descriptors) }));
  const comments = readComments(descriptors);
  const byService = Map.groupBy(methods, ({ service }) => service);
  const services = [...byService].map(([name, rows]) => {
    const descriptor = registry.getService(name);
    if (descriptor === undefined) throw new Error(`no descriptor of ${name}`);
    return { descriptor, methods: rows.map((row) => ({ descriptor: methodOf(descriptor, row), row })) };
  });
  return { services, commentOf: (name) => comments.get(name) ?? "" };
}

function methodOf(service: DescService, row: MethodRow): DescMethod {
  const found = service.methods.find(({ name }) => name === row.method);
  if (found === undefined) throw new Error(`no descriptor of ${row.service}/${row.method}`);
  return found;
}

/** Orders files after their imports, as a registry requires. */
function inOrder(files: readonly FileDescriptorProto[]): FileDescriptorProto[] {
  const byName = new Map(files.map((file) => [file.name, file]));
  const ordered = new Set<FileDescriptorProto>();
  const add = (file: FileDescriptorProto | undefined): void => {
    if (file === undefined || ordered.has(file)) return;
    for (const name of file.dependency) add(byName.get(name));
    ordered.add(file);
  };
  for (const file of files) add(file);
  return [...ordered];
}
