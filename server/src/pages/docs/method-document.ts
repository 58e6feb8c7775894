import type { ReferenceLibrary, ServiceReference } from "../../api/index.ts";
import { createBoundedMap } from "../../base/bounded-map.ts";
import { assetHeaders, type WebHandler } from "../../web/index.ts";
import { reachableTypes } from "./types-view.ts";

// Reading a service takes some milliseconds, and anyone may ask.
const store = createBoundedMap<Buffer>({ most: 1_000, mostSize: 1024 * 1024, sizeOf: (body) => body.length });

/** Answers `/docs/contract/<service>/<method>`: what a page of the reference says about a method, for the console. */
export const createMethodHandler =
  (library: ReferenceLibrary): WebHandler =>
  async ({ pathVariables, instance, header }) => {
    const reference = await library.open();
    const { service: serviceName = "", method: name = "" } = pathVariables;
    const address = [reference.version, serviceName, name].join("\n");
    const kept = store.get(address);
    const body = kept ?? writeMethod(reference.find(serviceName), name);
    const security = assetHeaders(instance.origin.startsWith("https:"));
    if (body === undefined) return { status: 404, headers: { ...security, "cache-control": "no-store" } };
    if (kept === undefined) store.put(address, body);
    const etag = `W/"${reference.version}"`;
    const headers = { ...security, etag, "cache-control": "no-cache" };
    if (header("if-none-match") === etag) return { status: 304, headers };
    return { status: 200, headers: { ...headers, "content-type": "application/json" }, body };
  };

function writeMethod(service: ServiceReference | undefined, name: string): Buffer | undefined {
  const method = service?.methods.find((one) => one.name === name);
  if (service === undefined || method === undefined) return undefined;
  const roots = [method.request, method.response];
  const own = roots.flatMap((root) => service.types[root] ?? []);
  const types = [...own, ...reachableTypes(service.types, roots)].map((type) => [type.name, type] as const);
  return Buffer.from(JSON.stringify({ service: service.name, method, types: Object.fromEntries(types) }));
}
