import { readFile } from "node:fs/promises";

/** The generated files of the contract, read on demand: a server without reflection requests never loads them. */
export interface DescriptorFiles {
  /** Returns the serialized FileDescriptorProto of a file; undefined for an unknown name. */
  read(name: string): Promise<Uint8Array | undefined>;
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
  let loaded: Promise<{ readonly index: Index; readonly names: ReadonlySet<string> }> | undefined;
  const load = () => (loaded ??= loadIndex());
  return {
    read: async (name) => {
      // Only names in the index become paths.
      if (!(await load()).names.has(name)) return undefined;
      return readFile(new URL(import.meta.resolve(`@doorward/api/descriptors/${name.replace(/\.proto$/, ".binpb")}`)));
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
