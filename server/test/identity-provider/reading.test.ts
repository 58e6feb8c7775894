import assert from "node:assert/strict";
import { test } from "node:test";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { createSecondInstance, secondHost, systemUser } from "../support/people/system-user.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { add, ask, bodyOf, kinds, must, options, refusal, type Side, secret } from "./support.ts";

/** Returns a token of a user with this role; without a role, of an ordinary user. */
async function tokenOf(server: TestServer, organizationId: string, role?: string): Promise<string> {
  const person = await addPerson(server, { username: `p-${organizationId}-${role ?? "nobody"}`, organizationId });
  const resource = role?.startsWith("IAM") === true ? { instance: true } : { organizationId };
  if (role !== undefined) await appoint(server, person, resource, [role]);
  return (await sessionOf(server, person)).token;
}

const addedByOlder = {
  name: "Older",
  clientId: "client",
  issuer: "https://older.example",
  scopes: ["openid"],
  clientSecret: secret,
  displayNameMapping: "OIDC_MAPPING_FIELD_EMAIL",
  usernameMapping: "OIDC_MAPPING_FIELD_PREFERRED_USERNAME",
  stylingType: "STYLING_TYPE_GOOGLE",
  autoRegister: true,
};
const jwtByOlder = {
  name: "Proxy",
  issuer: "proxy",
  jwtEndpoint: "https://proxy.example/in",
  keysEndpoint: "https://proxy.example/keys",
  headerName: "x-token",
  stylingType: "STYLING_TYPE_UNSPECIFIED",
  autoRegister: false,
};

eachServer((start) => {
  test("callers who read and change which identity providers, by which words", async (t) => {
    const { config, tokenFor } = systemUser(t);
    const server = await start(t, { config });
    const organizationId = await addOrganization(server, "Acme");
    const otherId = await addOrganization(server, "Other");
    const instance: Side = { name: "admin", server, organizationId: "" };
    const acme: Side = { name: "management", server, organizationId };

    await t.test(
      "the older methods know OpenID providers and issuers of JWTs, and leave the rest as it is",
      async () => {
        for (const side of [instance, acme]) {
          const { idpId } = await must(side, "POST", "/idps/oidc", addedByOlder);
          const read = async () => (await must(side, "GET", `/idps/${idpId}`)).idp;
          const { name, clientSecret: _, stylingType, autoRegister, ...oidcConfig } = addedByOlder;
          const state = "IDP_STATE_ACTIVE";
          const owner = side === instance ? "IDP_OWNER_TYPE_SYSTEM" : "IDP_OWNER_TYPE_ORG";
          const { details: __, ...first } = await read();
          assert.deepEqual(first, { id: idpId, state, owner, name, stylingType, autoRegister, oidcConfig });
          const newer = async () => (await must(side, "GET", `/idps/templates/${idpId}`)).idp;
          const { config } = await newer();
          assert.deepEqual(
            [config.oidc.issuer, config.options.isAutoCreation, config.options.isCreationAllowed],
            ["https://older.example", true, true],
          );

          // A change by v2 leaves what only v1 shows, and the other way round.
          const changed = { ...kinds.oidc.body, clientSecret: secret, providerOptions: options };
          await must(side, "PUT", `/idps/generic_oidc/${idpId}`, changed);
          assert.equal((await read()).oidcConfig.displayNameMapping, "OIDC_MAPPING_FIELD_EMAIL");
          await must(side, "PUT", `/idps/${idpId}`, {
            name: "Again",
            stylingType: "STYLING_TYPE_UNSPECIFIED",
            autoRegister: true,
          });
          const issuer = "https://idp.example/elsewhere";
          await must(side, "PUT", `/idps/${idpId}/oidc_config`, { ...oidcConfig, issuer, usernameMapping: undefined });
          const after = (await newer()).config;
          assert.deepEqual(after.oidc, {
            clientId: "client",
            issuer,
            scopes: ["openid"],
            isIdTokenMapping: true,
            usePkce: true,
          });
          assert.deepEqual(after.options, { ...options, isAutoCreation: true });
          const { name: newName, stylingType: newStyle, oidcConfig: newConfig } = await read();
          assert.deepEqual(
            [newName, newStyle, newConfig.usernameMapping],
            ["Again", "STYLING_TYPE_UNSPECIFIED", "OIDC_MAPPING_FIELD_UNSPECIFIED"],
          );
          const moved = { ...oidcConfig, issuer: "https://evil.test" };
          assert.equal(
            await refusal(side, "PUT", `/idps/${idpId}/oidc_config`, moved),
            "400 identity_provider.secret_required",
          );

          const jwt = (await must(side, "POST", "/idps/jwt", jwtByOlder)).idpId;
          const { name: ___, stylingType: ____, autoRegister: _____, ...jwtConfig } = jwtByOlder;
          await must(side, "PUT", `/idps/generic_jwt/${jwt}`, {
            name: "Proxy",
            ...jwtConfig,
            keysEndpoint: "",
            audience: "here",
          });
          await must(side, "PUT", `/idps/${jwt}/jwt_config`, { ...jwtConfig, issuer: "other" });
          assert.deepEqual((await must(side, "GET", `/idps/${jwt}`)).idp.jwtConfig, {
            ...jwtConfig,
            issuer: "other",
            audience: "here",
          });
          for (const [path, body] of [
            [`/idps/${jwt}/oidc_config`, oidcConfig],
            [`/idps/${idpId}/jwt_config`, jwtConfig],
          ] as const) {
            assert.equal(await refusal(side, "PUT", path, body), "404 identity_provider.not_found");
          }

          // These paths do not find providers of other kinds; only the state of a provider covers all kinds.
          const google = await add(side, "google");
          assert.equal(await refusal(side, "GET", `/idps/${google}`), "404 identity_provider.not_found");
          assert.equal(await refusal(side, "PUT", `/idps/${google}`, { name: "x" }), "404 identity_provider.not_found");
          const listed = await must(side, "POST", "/idps/_search", {
            sortingColumn: "IDP_FIELD_NAME_NAME",
            query: { asc: true },
          });
          const names: string[] = listed.result.map(({ name: listedName }: { name: string }) => listedName);
          assert.deepEqual(new Set(names), new Set(["Again", "Proxy"]));
          assert.deepEqual(names, names.toSorted());
          assert.equal(listed.details.totalResult, names.length);
          const stateOf = async () => (await must(side, "GET", `/idps/templates/${google}`)).idp.state;
          const once = await must(side, "POST", `/idps/${google}/_deactivate`, {});
          const twice = await must(side, "POST", `/idps/${google}/_deactivate`, {});
          assert.deepEqual([await stateOf(), twice.details.sequence], ["IDP_STATE_INACTIVE", once.details.sequence]);
          await must(side, "POST", `/idps/${google}/_reactivate`, {});
          assert.equal(await stateOf(), "IDP_STATE_ACTIVE");
          if (side === acme) continue;
          for (const id of [google, jwt, idpId]) await must(side, "DELETE", `/idps/${id}`);
        }
      },
    );

    const shared = await add(instance, "github", { name: "b shared" });
    const sharedToo = await add(instance, "gitlab", { name: "C shared" });
    const own = await add(acme, "azure_ad", { name: "A own" });
    const foreign = await add({ ...acme, organizationId: otherId }, "oauth", { name: "foreign" });

    await t.test("an organization sees its own and the instance's, the instance its own", async () => {
      const list = async (side: Side, body: object): Promise<string[]> => {
        const { result, details } = await must(side, "POST", "/idps/templates/_search", body);
        assert.ok(details.totalResult >= result.length);
        return result.map(({ id }: { id: string }) => id);
      };
      const byName = (name: string, method = "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE") => ({
        queries: [{ idpNameQuery: { name, method } }],
      });
      const byOwner = (ownerType: string) => ({ queries: [{ ownerTypeQuery: { ownerType } }] });
      assert.deepEqual(await list(instance, { query: { asc: true } }), [shared, sharedToo]);
      assert.deepEqual(await list(instance, {}), [sharedToo, shared]);
      assert.deepEqual(await list(instance, { query: { asc: true, offset: 1, limit: 1 } }), [sharedToo]);
      assert.deepEqual(await list(acme, byName("SHARED")), [sharedToo, shared]);
      assert.deepEqual(await list(acme, byName("shared", "TEXT_QUERY_METHOD_EQUALS")), []);
      assert.deepEqual(await list(acme, byOwner("IDP_OWNER_TYPE_SYSTEM")), [sharedToo, shared]);
      const mine = await list(acme, byOwner("IDP_OWNER_TYPE_ORG"));
      assert.ok(mine.includes(own) && !mine.includes(shared) && !mine.includes(foreign));
      assert.deepEqual(await list(acme, { queries: [{ idpIdQuery: { id: foreign } }] }), []);
      assert.deepEqual(await list(acme, { queries: [{ idpIdQuery: { id: own } }, ...byName("own").queries] }), [own]);
      assert.equal((await ask(acme, "POST", "/idps/templates/_search", { queries: [{}] })).status, 400);
      assert.equal((await must(acme, "GET", `/idps/templates/${shared}`)).idp.owner, "IDP_OWNER_TYPE_SYSTEM");
    });

    await t.test("an organization changes only what is its own", async () => {
      const body = bodyOf(kinds.github);
      for (const id of [shared, foreign, "404"]) {
        const refusals = [
          await refusal(acme, "PUT", `/idps/github/${id}`, body),
          await refusal(acme, "POST", `/idps/${id}/_deactivate`, {}),
          await refusal(acme, "DELETE", `/idps/templates/${id}`),
          await refusal(acme, "DELETE", `/idps/${id}`),
        ];
        assert.deepEqual(new Set(refusals), new Set(["404 identity_provider.not_found"]), id);
      }
      for (const id of [own, foreign]) {
        assert.equal(await refusal(instance, "GET", `/idps/templates/${id}`), "404 identity_provider.not_found");
        assert.equal(await refusal(instance, "DELETE", `/idps/templates/${id}`), "404 identity_provider.not_found");
      }
      assert.equal((await must(instance, "GET", `/idps/templates/${shared}`)).idp.state, "IDP_STATE_ACTIVE");
    });

    await t.test("each role reads and changes where it holds, and nowhere else", async () => {
      // Status of: reading the instance's by Admin, adding one there; reading own by Management, adding one; by v2:
      // shared, own, foreign.
      const expected: readonly [role: string | undefined, statuses: string][] = [
        ["IAM_OWNER_VIEWER", "200 403 200 403 200 200 200"],
        ["IAM_ORG_MANAGER", "403 403 200 200 200 200 200"],
        ["IAM_LOGIN_CLIENT", "200 403 200 403 200 200 200"],
        ["ORG_OWNER", "403 403 200 200 200 200 404"],
        ["ORG_OWNER_VIEWER", "403 403 200 403 200 200 404"],
        ["ORG_USER_MANAGER", "403 403 403 403 404 404 404"],
        [undefined, "403 403 403 403 404 404 404"],
      ];
      for (const [role, statuses] of expected) {
        const token = await tokenOf(server, organizationId, role);
        const [admin, management] = [
          { ...instance, token },
          { ...acme, token },
        ];
        const body = bodyOf(kinds.google);
        const answers = [
          await ask(admin, "GET", `/idps/templates/${shared}`),
          await ask(admin, "POST", "/idps/google", body),
          await ask(management, "GET", `/idps/templates/${own}`),
          await ask(management, "POST", "/idps/google", body),
          ...(await Promise.all([shared, own, foreign].map((id) => server.rest("GET", `/v2/idps/${id}`, { token })))),
        ];
        assert.equal(answers.map(({ status }) => status).join(" "), statuses, role ?? "nobody");
      }
      // A user of another organization names ours in the header.
      const stranger: Side = { ...acme, token: await tokenOf(server, otherId, "ORG_OWNER") };
      for (const [method, path, body] of [
        ["GET", `/idps/templates/${own}`],
        ["POST", "/idps/templates/_search", {}],
        ["POST", "/idps/google", bodyOf(kinds.google)],
        ["DELETE", `/idps/templates/${own}`],
        ["POST", `/idps/${own}/_deactivate`, {}],
      ] as const) {
        assert.equal((await ask(stranger, method, path, body)).status, 403, path);
      }
      assert.equal((await server.rest("GET", `/v2/idps/${shared}`, { token: null })).status, 401);
      assert.equal((await server.rest("GET", "/v2/idps/404")).status, 404);
    });

    await t.test("another instance knows none of them", async () => {
      const { pat: token } = await createSecondInstance(server, tokenFor(server));
      const elsewhere = (method: string, path: string, body?: object) =>
        server.byHost(secondHost, method, path, { token, ...(body !== undefined && { body }) });
      for (const id of [shared, own]) {
        const answers = [
          await elsewhere("GET", `/v2/idps/${id}`),
          await elsewhere("GET", `/admin/v1/idps/templates/${id}`),
          await elsewhere("PUT", `/admin/v1/idps/github/${id}`, bodyOf(kinds.github)),
          await elsewhere("DELETE", `/admin/v1/idps/templates/${id}`),
          await elsewhere("POST", "/admin/v1/policies/login/idps", { idpId: id }),
        ];
        assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]));
      }
      const listed = await elsewhere("POST", "/admin/v1/idps/templates/_search", {});
      assert.deepEqual([listed.status, listed.body.details.totalResult, listed.body.result], [200, 0, []]);
    });

    await t.test("changes at the same moment come one after the other", async () => {
      const change = (name: string) => must(acme, "PUT", `/idps/azure/${own}`, { ...bodyOf(kinds.azure_ad), name });
      const answers = await Promise.all(["1", "2", "3", "4"].map(change));
      const sequences = answers.map(({ details }) => details.sequence);
      assert.equal(new Set(sequences).size, 4, sequences.join(" "));
      const { idp } = await must(acme, "GET", `/idps/templates/${own}`);
      assert.equal(idp.details.sequence, Math.max(...sequences));
      const deletions = await Promise.all([1, 2, 3].map(() => ask(acme, "DELETE", `/idps/templates/${own}`)));
      assert.deepEqual(deletions.map(({ status }) => status).toSorted(), [200, 404, 404]);
    });
  });
});
