import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { relayScript } from "../../src/html/index.ts";
import { createAssetRoute, loadAssets, respondWithPage } from "../../src/pages/index.ts";
import type { WebRequest, WebResponse } from "../../src/web/index.ts";
import { testCall } from "../support/operations/call.ts";
import { type GalleryPage, gallery } from "./gallery.ts";
import { findBrandedFile } from "./support/branded.ts";
import { findGalleryAvatar } from "./support/gallery-avatar.ts";

/** The gallery, served with the headers and assets that the product sends. */
export interface GalleryServer {
  readonly origin: string;
  readonly pages: readonly GalleryPage[];
  /**
   * Bodies of the forms that were sent. They are answered late and with nothing, so that the browser stays where it is.
   */
  readonly posts: string[];
}

/** Starts it on a free port; it stops after the test. */
export async function startGallery(t: { after(end: () => void): void }): Promise<GalleryServer> {
  const assets = loadAssets();
  const pages = gallery(assets);
  const assetRoute = createAssetRoute(assets);
  const posts: string[] = [];
  let origin = "";

  const answer = async (request: IncomingMessage): Promise<WebResponse> => {
    const path = new URL(request.url ?? "/", origin).pathname;
    if (request.method === "POST") {
      posts.push(await text(request));
      return { status: 204, headers: {} };
    }
    if (path.startsWith("/ui/assets/")) return assetRoute.handler(webRequest(request, path, origin));
    const file = path.startsWith("/branding/") ? findBrandedFile(path) : findGalleryAvatar(path);
    if (file !== undefined) return { status: 200, headers: { "content-type": file.type }, body: file.body };
    const page = pages.find((candidate) => candidate.path === path);
    if (page === undefined) return { status: 404, headers: {} };
    const { language, relayScriptHash: scriptHash } = page;
    if (scriptHash === undefined) return respondWithPage({ page: page.render(), language, origin });
    const relay = { target: "https://shop.acme.example/callback", scriptHash };
    const answered = respondWithPage({ page: page.render(), language, origin, relay });
    // Such a page leaves as soon as it is there: here it is as it is where there is no script.
    return { ...answered, body: String(answered.body).replace(`<script>${relayScript}</script>`, "") };
  };

  const server = createServer((request, response) => {
    void answer(request).then(({ status, headers, body }) => {
      response.writeHead(status, headers as Record<string, string>).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin, pages, posts };
}

const webRequest = (request: IncomingMessage, path: string, origin: string): WebRequest => ({
  method: "GET",
  path,
  pathVariables: {},
  query: "",
  body: "",
  header: (name) => request.headers[name]?.toString(),
  clientAddress: "127.0.0.1",
  instance: { instanceId: "1", origin, defaultLanguage: "en" },
  call: testCall(),
});

async function text(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}
