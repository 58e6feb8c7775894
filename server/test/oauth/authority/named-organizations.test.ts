import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveOrganization } from "../../../src/authority/index.ts";
import { eachEngine } from "../../support/databases/databases.ts";
import { makeFixtures } from "../../support/operations/fixtures.ts";

const byId = (organizationId: string): string => `urn:service:iam:org:id:${organizationId}`;
const byDomain = (domain: string): string => `urn:service:iam:org:domain:primary:${domain}`;

eachEngine((open) => {
  test("a scope that names two organizations is refused before any of them is looked up", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { organizationId, primaryDomain } = await fixtures.organization("Home");
    const other = await fixtures.organization("Elsewhere");
    let statements = 0;
    const { read } = fixtures.database;
    const counting = Object.assign(Object.create(read) as typeof read, {
      maybe: (statement: never) => {
        statements++;
        return read.maybe(statement);
      },
    });
    const resolve = (...scopes: string[]) =>
      resolveOrganization({ database: { read: counting }, namespaceAliases: [] }, fixtures.owner, scopes.join(" "));
    for (const scopes of [[byId(organizationId), byDomain(primaryDomain)], [byDomain(primaryDomain)]]) {
      assert.equal(await resolve(...scopes), organizationId);
    }
    assert.ok(statements > 0);
    statements = 0;
    const domains = Array.from({ length: 199 }, (_, index) => byDomain(`x${index}.example`));
    for (const scopes of [domains, [byDomain(primaryDomain), ...domains], [byId(organizationId), byId("x")]]) {
      await assert.rejects(resolve(...scopes), { code: "invalid_scope" });
    }
    assert.equal(statements, 0);
    await assert.rejects(resolve(byId(organizationId), byDomain(other.primaryDomain)), { code: "invalid_scope" });
  });
});
