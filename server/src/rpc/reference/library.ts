import { hash } from "node:crypto";
import { Worker } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import type { Registry } from "../registry.ts";
import type { Built } from "./build.worker.ts";
import type { ServiceReference, ServiceSummary } from "./reference.ts";

/** The documentation of the contract, written when somebody first asks for it. */
export interface ReferenceLibrary {
  open(): Promise<Reference>;
}

export interface Reference {
  /** Changes when anything in it does. */
  readonly version: string;
  /** The OpenAPI document, compressed by gzip. */
  readonly openApi: Uint8Array;
  readonly services: readonly ServiceSummary[];
  /** A service by its full name; undefined when there is none. */
  find(name: string): ServiceReference | undefined;
}

/** A library over the methods that a server has. It holds the documents compressed: some 300 KB. */
export function createReferenceLibrary(registry: Registry): ReferenceLibrary {
  let opened: Promise<Reference> | undefined;
  return {
    open: () => {
      // A failure is told to whoever asked, and the next one tries again.
      opened ??= build(registry).catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
  };
}

async function build(registry: Registry): Promise<Reference> {
  const { openApi, services } = await runWorker(await listBuilt(registry));
  const documents = new Map(services.map(({ name, document }) => [name, document]));
  const version = hash("sha256", Buffer.concat([openApi, ...documents.values()]), "base64url").slice(0, 16);
  return {
    version,
    openApi,
    services: services.map(({ name, text, methodCount, builtCount }) => ({ name, text, methodCount, builtCount })),
    find: (name) => {
      const document = documents.get(name);
      return document && (JSON.parse(gunzipSync(document).toString("utf8")) as ServiceReference);
    },
  };
}

async function listBuilt(registry: Registry): Promise<string[]> {
  const built: string[] = [];
  for (const { name, isHealth, loadImplementation } of registry.values()) {
    if (isHealth || (await loadImplementation()) !== undefined) built.push(name);
  }
  return built;
}

function runWorker(built: readonly string[]): Promise<Built> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./build.worker.ts", import.meta.url), { workerData: built });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the documentation was not written")));
  });
}
