import { fork } from "node:child_process";
import { hash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import type {
  ContractReference,
  MethodDocument,
  ReferenceLibrary,
  SearchIndex,
  ServiceReference,
} from "../../api/index.ts";
import { lazy } from "../../base/lazy.ts";
import type { Registry } from "../registry.ts";
import type { Built } from "./build.process.ts";

/** Creates the library for the methods of a server. It holds the compressed documents. */
export function createReferenceLibrary(registry: Registry): ReferenceLibrary {
  // A failure is reported to its caller, and the next call tries again.
  return { open: lazy(() => build(registry)) };
}

async function build(registry: Registry): Promise<ContractReference> {
  const { openApi, services, generalErrors, searchIndex } = await runProcess(await listBuilt(registry));
  const byName = new Map(services.map((service) => [service.outline.name, service]));
  const documents = services.flatMap(({ document, methods }) => [document, ...methods.values()]);
  const version = hash("sha256", Buffer.concat([openApi, ...documents]), "base64url").slice(0, 16);
  return {
    version,
    openApi,
    generalErrors,
    searchIndex: () => read(searchIndex) as SearchIndex,
    services: services.map(({ outline }) => outline),
    find: (name) => {
      const document = byName.get(name)?.document;
      return document && (read(document) as ServiceReference);
    },
    findMethod: (service, name) => {
      const found = byName.get(service);
      const document = found?.methods.get(name);
      if (found === undefined || document === undefined) return undefined;
      return { service: found.outline, ...(read(document) as Pick<MethodDocument, "method" | "types">) };
    },
  };
}

const read = (document: Uint8Array): unknown => JSON.parse(gunzipSync(document).toString("utf8"));

async function listBuilt(registry: Registry): Promise<string[]> {
  const built: string[] = [];
  for (const { name, isHealth, loadImplementation } of registry.values()) {
    if (isHealth || (await loadImplementation()) !== undefined) built.push(name);
  }
  return built;
}

function runProcess(built: readonly string[]): Promise<Built> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL("./build.process.ts", import.meta.url), {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // Without this process's environment, which may contain secrets and which the child does not need.
      env: {},
    });
    child.once("message", (message) => resolve(message as Built));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the documentation was not written (exit ${code})`)));
    child.send(built);
  });
}
