import assert from "node:assert/strict";
import { test } from "node:test";
import { oauthStatus } from "../../src/oauth/error-status.ts";
import { guides } from "../../src/pages/docs/guides/guides.ts";
import { endpointPaths } from "../../src/web/index.ts";
import { startServer } from "../support/servers/server.ts";

test("the guides name endpoints that are served, and errors that they answer", async (t) => {
  const server = await startServer(t);
  const served = new Map(server.app.routes.map(({ path, methods }) => [path, methods]));
  const described = new Set<string>();
  for (const { name: guide, address = "", sections } of guides) {
    const [verbs = "", path = ""] = address.split(" /", 2).map((part, index) => (index === 0 ? part : `/${part}`));
    if (address !== "") {
      described.add(path);
      for (const verb of verbs.split(", ")) assert.ok(served.get(path)?.includes(verb), `${guide}: ${verb} ${path}`);
    }
    for (const { title, rows = [], call } of sections) {
      if (call !== undefined) assert.ok(served.has(call.path), `${guide}: ${call.path}`);
      if (title !== "Errors") continue;
      for (const name of rows.flatMap(([names]) => names.split(", ")))
        assert.ok(name in oauthStatus, `${guide}: ${name}`);
    }
  }
  const { discovery, authorization, pushedAuthorization, token, deviceAuthorization, introspection } = endpointPaths;
  const { revocation, userinfo, endSession, keys, registration, samlMetadata, samlSignOn, samlLogout } = endpointPaths;
  const needed = [discovery, authorization, pushedAuthorization, token, deviceAuthorization, introspection, revocation];
  for (const path of [...needed, userinfo, endSession, keys, registration, samlMetadata, samlSignOn, samlLogout]) {
    assert.ok(described.has(path), path);
  }
});
