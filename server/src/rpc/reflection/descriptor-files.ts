import { readFile } from "node:fs/promises";

/** The files of the contract as the generator wrote them, read when somebody asks: a server that nobody asks keeps nothing of them. */
export interface DescriptorFiles {
  /** The serialized FileDescriptorProto of a file; undefined when the contract has none of this name. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Name of the file that declares what stands at the top of a file; undefined when nothing is called so. */
  declaring(symbol: string): Promise<string | undefined>;
  /** Extensions of a message: field number → file. */
  extensionsOf(message: string): Promise<ReadonlyMap<number, string>>;
  /** Names of all files. */
  list(): Promise<readonly string[]>;
}

interface Index {
  /** Name of a declaration → file. */
  readonly symbols: Readonly<Record<string, string>>;
  /** `<message> <number>` → file. */
  readonly extensions: Readonly<Record<string, string>>;
}

/** The descriptors that `@doorward/api` carries. */
export function createDescriptorFiles(): DescriptorFiles {
  let loaded: Promise<{ readonly index: Index; readonly names: ReadonlySet<string> }> | undefined;
  const load = () => (loaded ??= loadIndex());
  return {
    read: async (name) => {
      // Only names of the index become paths.
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
