import type { MethodDocument, ReferenceLibrary } from "../../api/index.ts";
import { createBoundedMap } from "../../base/bounded-map.ts";
import { assetHeaders, type WebHandler } from "../../web/index.ts";

// Anyone may ask.
const store = createBoundedMap<Buffer>({ most: 1_000, mostSize: 1024 * 1024, sizeOf: (body) => body.length });

/** Answers `/docs/contract/<service>/<method>`: what a page of the reference says about a method, for the console. */
export const createMethodHandler =
  (library: ReferenceLibrary): WebHandler =>
  async ({ pathVariables, instance, header }) => {
    const reference = await library.open();
    const { service: serviceName = "", method: name = "" } = pathVariables;
    const address = [reference.version, serviceName, name].join("\n");
    const kept = store.get(address);
    const body = kept ?? writeMethod(reference.findMethod(serviceName, name));
    const security = assetHeaders(instance.origin.startsWith("https:"));
    if (body === undefined) return { status: 404, headers: { ...security, "cache-control": "no-store" } };
    if (kept === undefined) store.put(address, body);
    const etag = `W/"${reference.version}"`;
    const headers = { ...security, etag, "cache-control": "no-cache" };
    if (header("if-none-match") === etag) return { status: 304, headers };
    return { status: 200, headers: { ...headers, "content-type": "application/json" }, body };
  };

function writeMethod(document: MethodDocument | undefined): Buffer | undefined {
  if (document === undefined) return undefined;
  const { service, method, types } = document;
  return Buffer.from(JSON.stringify({ service: service.name, method, types }));
}
