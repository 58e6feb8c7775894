import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import process from "node:process";

// The build for browsers lies beside the one that Node finds.
const library = new URL("../browser/oidc-client-ts.min.js", import.meta.resolve("oidc-client-ts"));
const here = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));

/** Hands out the page, the library and the settings. */
export function createExampleServer(settings: { readonly issuer: string; readonly clientId: string }): Server {
  const files = new Map<string, { readonly type: string; readonly body: string | Buffer }>([
    ["/", { type: "text/html; charset=utf-8", body: here("index.html") }],
    ["/app.js", { type: "text/javascript", body: here("app.js") }],
    ["/oidc-client-ts.js", { type: "text/javascript", body: readFileSync(library) }],
    ["/settings.json", { type: "application/json", body: JSON.stringify(settings) }],
  ]);
  return createServer((request, response) => {
    const file = files.get(new URL(request.url ?? "/", "http://localhost").pathname);
    response.writeHead(file === undefined ? 404 : 200, { "content-type": file?.type ?? "text/plain" });
    response.end(file?.body ?? "Not found\n");
  });
}

if (import.meta.main) {
  const { CLIENT_ID: clientId, ISSUER: issuer = "http://localhost:8080", PORT: port = "5173" } = process.env;
  if (clientId === undefined) {
    console.error("Set CLIENT_ID to the client id of your application; README.md says how to get one.");
    process.exit(2);
  }
  createExampleServer({ issuer, clientId }).listen(Number(port), "localhost", () => {
    console.log(`Open http://localhost:${port}`);
  });
}
