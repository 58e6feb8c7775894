import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { fetch } from "../../../server/test/support/http/fetch.ts";
import { freePort } from "../../../server/test/support/http/free-port.ts";
import { startOidcServer } from "../../../server/test/support/oidc/oidc.ts";
import { setRegistration } from "../../../server/test/support/oidc/registration.ts";
import { addApi, addResource } from "../../../server/test/support/oidc/resources.ts";
import { programFiles, startForeignProgram } from "../../../server/test/support/servers/foreign-program.ts";
import { TestBrowser } from "../../../server/test/support/sign-in/test-browser.ts";
import { installFastMcp, type Python, reasonWithoutPip } from "../../support/fastmcp.ts";
import { startMcpServer } from "../../support/mcp-server.ts";
import { signInByForms } from "../../support/relying-party.ts";

const skip = reasonWithoutPip();
const installing = skip === false ? installFastMcp() : Promise.resolve("");

/** The programs of docs/mcp.md: a server, and a client. */
const page = readFileSync(join(import.meta.dirname, "../../../docs/mcp.md"), "utf8");
const [serverProgram = "", clientProgram = ""] = [...page.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(
  ([, program]) => program,
);

/** Runs the client of the page: `visit` gets the address that it opens in a browser. Returns what it prints. */
async function runClient(
  t: TestContext,
  { command, env }: Python,
  resource: string,
  visit: (address: string) => Promise<unknown>,
): Promise<string> {
  // It opens a browser by the command in BROWSER: here one that prints the address.
  const child = spawn(command, ["-c", clientProgram], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env, RESOURCE: resource, BROWSER: "echo %s" },
  });
  t.after(() => child.kill());
  const complaints = text(child.stderr);
  let last = "";
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith("http://")) await visit(line);
    else last = line;
  }
  if (child.exitCode === null) await once(child, "exit");
  assert.equal(child.exitCode, 0, await complaints);
  return last;
}

test("FastMCP", { skip }, async (t) => {
  const python = await installing;
  if (typeof python === "string") return t.skip(python);
  const server = await startOidcServer(t, { now: Date.now() });
  const timer = setInterval(() => {
    server.clock.now = Date.now();
  }, 100);
  t.after(() => clearInterval(timer));
  await setRegistration(server, "open");
  const port = await freePort();
  const resource = `http://localhost:${port}/mcp`;
  const scopes = [{ name: "tools:read", descriptions: { en: "Look at your tools" } }];
  await addResource(server, server.projectId, resource, { scopes });
  const { clientId, clientSecret } = await addApi(server, server.projectId, "FastMCP");
  const files = programFiles("fastmcp");
  await startForeignProgram(t, {
    command: python.command,
    options: [files.write("server.py", serverProgram)],
    directory: files.directory,
    port,
    env: {
      ...python.env,
      ISSUER: server.origin,
      RESOURCE: resource,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
    },
  });
  const signIn = async (address: string): Promise<void> => {
    const callback = new URL(await signInByForms(server, address, new TestBrowser(server)));
    assert.equal((await fetch(callback)).status, 200);
  };

  await t.test("a server takes tokens for itself alone", async () => {
    const ask = async (token?: string) => {
      const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
      const answer = await fetch(resource, {
        method: "POST",
        headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
      });
      return [answer.status, answer.headers.get("www-authenticate") ?? ""] as const;
    };
    const [status, challenge] = await ask();
    assert.equal(status, 401);
    assert.match(challenge, /resource_metadata="http:\/\/localhost:\d+\/\.well-known\/oauth-protected-resource\/mcp"/);
    const { access_token: other } = await server.tokens({ scope: "openid" });
    assert.equal((await ask(other))[0], 401);
    const { access_token: own } = await server.tokens({ scope: "tools:read", parameters: { resource } });
    assert.notEqual((await ask(own))[0], 401);
  });

  await t.test("a client registers itself and calls a server of FastMCP", async (t) => {
    assert.equal(await runClient(t, python, resource, signIn), server.user.userId);
  });

  await t.test("a client registers itself and calls a server of the TypeScript SDK", async (t) => {
    const { url } = await startMcpServer(t, server);
    assert.equal(await runClient(t, python, url.href, signIn), server.user.userId);
  });
});
