import { gunzipSync } from "node:zlib";
import type { ContractReference, ReferenceLibrary } from "../../api/index.ts";
import { assetHeaders, type WebRoute } from "../../web/index.ts";
import { accepts } from "../accepts-encoding.ts";

/** `/docs/openapi.json`. Pages of other origins may read it, such as tools in the browser. */
export const openApiRoute = (library: ReferenceLibrary): WebRoute => {
  // One copy for all readers, however slowly they read.
  let plain: { readonly version: string; readonly body: Uint8Array } | undefined;
  const plainOf = ({ openApi, version }: ContractReference): Uint8Array => {
    if (plain?.version !== version) plain = { version, body: gunzipSync(openApi) };
    return plain.body;
  };
  return {
    methods: ["GET"],
    path: "/docs/openapi.json",
    protocol: "plain",
    isOpenToOrigins: true,
    handler: async (request) => {
      const reference = await library.open();
      const { openApi, version } = reference;
      const etag = `W/"${version}"`;
      const { "cross-origin-resource-policy": _own, ...security } = assetHeaders(
        request.instance.origin.startsWith("https:"),
      );
      const headers = { ...security, etag, "cache-control": "no-cache", vary: "accept-encoding" };
      if (request.header("if-none-match") === etag) return { status: 304, headers };
      const typed = { ...headers, "content-type": "application/json" };
      return accepts(request.header("accept-encoding"), "gzip")
        ? { status: 200, headers: { ...typed, "content-encoding": "gzip" }, body: openApi }
        : { status: 200, headers: typed, body: plainOf(reference) };
    },
  };
};
