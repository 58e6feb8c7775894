import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { readContract } from "./contract.ts";
import { type Kept, keptOf } from "./kept.ts";
import { prune } from "./prune.ts";
import { readUsage } from "./usage.ts";

/**
 * Makes the modules of the contract as small as the program allows: with the methods and messages that the sources of
 * `folder` can reach. A service of the first version names some hundred methods, and a page calls a few of them.
 */
export function pruneContract(folder: string): Plugin {
  const contractFolder = join(dirname(fileURLToPath(import.meta.resolve("@doorward/api/package.json"))), "src");
  let read: Promise<(path: string) => string | undefined> | undefined;
  const readAll = async () => {
    const [contract, usage] = await Promise.all([readContract(contractFolder), readUsage(folder)]);
    const kept: Kept = keptOf(contract, usage);
    return (path: string): string | undefined => {
      const module = contract.modules.get(path);
      return module && prune(contract, kept, module);
    };
  };
  return {
    name: "prune-contract",
    async transform(_code, id) {
      if (!id.startsWith(`${contractFolder}/`) || !id.endsWith("_pb.js")) return undefined;
      read ??= readAll();
      const code = (await read)(id.slice(contractFolder.length + 1, -".js".length));
      return code === undefined ? undefined : { code, map: null };
    },
  };
}
