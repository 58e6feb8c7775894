import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ContextKind } from "../../src/extension/script/protocol.ts";
import { createScriptPool } from "../../src/extension/script/script-pool.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/scripts.md"), "utf8");
const pool = createScriptPool();

const kinds: Readonly<Record<string, ContextKind>> = {
  "Complement token, pre userinfo": "token",
  "Complement token, pre userinfo and pre access token": "token",
  "External authentication, post authentication": "authentication",
  "Internal authentication, post authentication": "authentication",
  "Internal authentication, pre creation": "pre_creation",
  "External authentication, post creation": "post_creation",
};

const user = { id: "1", email: { email: "ada@example.com" }, human: { email: "ada@example.com" } };
const input = {
  claims: { given: "Ada", family: "Lovelace" },
  user,
  externalUser: { externalIdpId: "your-provider-id" },
  providerInfo: { mail: "ada@example.com", department: "research" },
  authRequest: { userId: "1" },
  httpRequest: { remoteAddr: "203.0.113.1" },
};

const answers: Readonly<Record<string, unknown>> = {
  grants: { count: 1, grants: [{ projectId: "7", roles: ["reader"] }] },
  organization_metadata: { count: 1, metadata: [{ key: "plan", text: '"gold"' }] },
  fetch: { status: 200, body: '{"isBlocked":false}' },
};

/** What each example asks for. */
const wanted: Readonly<Record<string, object>> = {
  customRoles: { claims: [{ key: "my:roles", value: ["7:reader"] }] },
  planOfOrganization: { claims: [{ key: "plan", value: "gold" }] },
  mapProfile: {
    fields: { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", isEmailVerified: true },
    metadata: [{ key: "department", text: '"research"' }],
  },
  onlyStaff: {},
  grantReader: { grants: [{ projectId: "your-project-id", roles: ["reader"] }] },
  askRiskService: {},
};

test("the examples of docs/scripts.md do what the page says", async () => {
  const names: string[] = [];
  for (const [, point = "", source = ""] of page.matchAll(/^```js\n\/\/ (.*)\n([\s\S]*?)^```$/gm)) {
    const kind = kinds[point];
    assert.ok(kind, point);
    const name = /function (\w+)/.exec(source)?.[1] ?? "";
    names.push(name);
    const request = { source, name, kind, timeout: 5_000, input: JSON.stringify(input), words: ["service", "zitadel"] };
    const outcome = await pool.run({ instanceId: "i", organizationId: "o" }, request, async (question) =>
      JSON.stringify(answers[question]),
    );
    assert.equal(outcome.failure, undefined, `${name}: ${outcome.message}`);
    const nothing = { fields: {}, claims: [], logs: [], metadata: [], grants: [], attributes: [] };
    assert.deepEqual(JSON.parse(outcome.result ?? ""), { ...nothing, ...wanted[name] }, name);
  }
  assert.deepEqual(names, Object.keys(wanted));
});
