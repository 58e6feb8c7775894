import { readFile } from "node:fs/promises";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { lazy } from "../../base/lazy.ts";
import { namespaceWord } from "../namespace.ts";
import { renameFile } from "./rename.ts";

/** A file of the contract as it is sent. */
interface SentFile {
  /** Serialized FileDescriptorProto. */
  readonly bytes: Uint8Array;
  /** Names of the files that it imports, with our word. */
  readonly imports: readonly string[];
}

/**
 * The generated files of the contract, read on demand: a server without reflection requests never loads them. What was
 * read is kept, at most some megabytes, so that a question costs the same the thousandth time.
 */
export interface DescriptorFiles {
  /** Returns a file with a word in place of ours; undefined for an unknown name. */
  read(name: string, word: string): Promise<SentFile | undefined>;
  /** Returns what a file declares; undefined for an unknown name. */
  parse(name: string): Promise<FileDescriptorProto | undefined>;
  /** Returns the file that declares a top-level symbol; undefined for an unknown one. */
  declaring(symbol: string): Promise<string | undefined>;
  /** Returns the extensions of a message: field number → file. */
  extensionsOf(message: string): Promise<ReadonlyMap<number, string>>;
  /** Returns the names of all files. */
  list(): Promise<readonly string[]>;
}

interface Index {
  /** Name of a declaration → file. */
  readonly symbols: Readonly<Record<string, string>>;
  /** `<message> <number>` → file. */
  readonly extensions: Readonly<Record<string, string>>;
}

/** Reads the descriptors in `@doorward/api`. */
export function createDescriptorFiles(): DescriptorFiles {
  const load = lazy(loadIndex);
  const kept = new Map<string, SentFile>();
  const parsed = new Map<string, FileDescriptorProto>();
  const readBytes = async (name: string): Promise<Uint8Array | undefined> => {
    // Only names in the index become paths.
    if (!(await load()).names.has(name)) return undefined;
    return readFile(new URL(import.meta.resolve(`@doorward/api/descriptors/${name.replace(/\.proto$/, ".binpb")}`)));
  };
  return {
    read: async (name, word) => {
      const key = `${word} ${name}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const bytes = await readBytes(name);
      if (bytes === undefined) return undefined;
      const file = fromBinary(FileDescriptorProtoSchema, bytes);
      const imports = [...file.dependency];
      const isOurs = word === namespaceWord;
      const sent = { bytes: isOurs ? bytes : toBinary(FileDescriptorProtoSchema, renameFile(file, word)), imports };
      kept.set(key, sent);
      return sent;
    },
    parse: async (name) => {
      const known = parsed.get(name);
      if (known !== undefined) return known;
      const bytes = await readBytes(name);
      if (bytes === undefined) return undefined;
      const file = fromBinary(FileDescriptorProtoSchema, bytes);
      parsed.set(name, file);
      return file;
    },
    declaring: async (symbol) => {
      const { symbols } = (await load()).index;
      return Object.hasOwn(symbols, symbol) ? symbols[symbol] : undefined;
    },
    extensionsOf: async (message) => {
      const found = new Map<number, string>();
      for (const [key, file] of Object.entries((await load()).index.extensions)) {
        const [extended, number] = key.split(" ", 2);
        if (extended === message) found.set(Number(number), file);
      }
      return found;
    },
    list: async () => [...(await load()).names],
  };
}

async function loadIndex() {
  const text = await readFile(new URL(import.meta.resolve("@doorward/api/descriptors.json")), "utf8");
  const index = JSON.parse(text) as Index;
  return { index, names: new Set(Object.values(index.symbols)) };
}
