import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

// The types of Node.js lack it.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

/** Compiles it once for a process: threads share the code, also what was made faster by running often. */
export async function compileInterpreter(): Promise<object> {
  const file = fileURLToPath(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));
  return WebAssembly.compile(await readFile(file));
}
