import assert from "node:assert/strict";
import { slugOf } from "../factor/support.ts";
import { oidcAt, putProvider } from "../support/identity-provider/identity-providers.ts";
import { addOrganization } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

const noFirst = "settings.login.no_first_factor";
const noSecond = "settings.login.no_second_factor";
const open = { allowUsernamePassword: true, passwordlessType: "PASSWORDLESS_TYPE_ALLOWED" };

/** The login settings of a scope, by the first generation of the API. */
function policyOf(server: TestServer, organizationId?: string) {
  const path = organizationId === undefined ? "/admin/v1/policies/login" : "/management/v1/policies/login";
  const headers = organizationId === undefined ? {} : { "x-service-orgid": organizationId };
  return async (method: string, rest = "", body: object = {}) => {
    const given = method === "GET" || method === "DELETE" ? { headers } : { headers, body };
    return server.rest(method, `${path}${rest}`, given);
  };
}

serversInTurn((start, test) => {
  test("settings that would lock every user out are refused, for the instance and an organization (U3)", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "Acme");
    const secondFactors = ["SECOND_FACTOR_TYPE_OTP", "SECOND_FACTOR_TYPE_U2F"];
    const multiFactors = ["MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION"];
    const made = await policyOf(server, organizationId)("POST", "", { ...open, secondFactors, multiFactors });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    for (const organization of [undefined, organizationId]) {
      const policy = policyOf(server, organization);
      const whole = await policy("PUT", "", { forceMfa: true });
      assert.equal(slugOf(whole), noFirst);
      assert.equal(whole.status, 400);
      assert.equal(whole.body.code, 9, "FAILED_PRECONDITION");
      assert.equal((await policy("GET")).body.policy.allowUsernamePassword, true, "and nothing has changed");
      assert.equal(slugOf(await policy("PUT", "", { allowExternalIdp: true })), noFirst, "without a provider");
      assert.equal(slugOf(await policy("PUT", "", { ...open, forceMfa: true })), "done");
      const factors = (await policy("GET")).body.policy;
      for (const factor of factors.multiFactors) {
        assert.equal(slugOf(await policy("DELETE", `/multi_factors/${factor}`)), "done", factor);
      }
      const [first, ...others] = factors.secondFactors;
      for (const factor of others) assert.equal(slugOf(await policy("DELETE", `/second_factors/${factor}`)), "done");
      assert.equal(slugOf(await policy("DELETE", `/second_factors/${first}`)), noSecond, "the last one, while forced");
      assert.equal(slugOf(await policy("PUT", "", open)), "done");
      assert.equal(slugOf(await policy("DELETE", `/second_factors/${first}`)), "done", "not forced any more");
      assert.equal(slugOf(await policy("PUT", "", { ...open, forceMfaLocalOnly: true })), noSecond);
    }
  });

  test("where passwords are off, the last active provider stays (U3)", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "Acme");
    await policyOf(server, organizationId)("POST", "", open);
    for (const organization of [undefined, organizationId]) {
      const policy = policyOf(server, organization);
      const headers = organization === undefined ? {} : { "x-service-orgid": organization };
      const base = organization === undefined ? "/admin/v1/idps" : "/management/v1/idps";
      const owner = organization === undefined ? {} : { organizationId: organization };
      const id = await putProvider(server, { ...owner, configuration: oidcAt("https://one.example") });
      const ownerType = organization === undefined ? {} : { ownerType: "IDP_OWNER_TYPE_ORG" };
      const added = await policy("POST", "/idps", { idpId: id, ...ownerType });
      assert.ok(["done", "settings.unchanged"].includes(slugOf(added)), slugOf(added));
      assert.equal(slugOf(await policy("PUT", "", { allowExternalIdp: true })), "done");
      assert.equal(slugOf(await policy("DELETE", `/idps/${id}`)), noFirst, "no longer offered");
      const change = (method: string, rest = "") =>
        server.rest(method, `${base}/${id}${rest}`, method === "DELETE" ? { headers } : { headers, body: {} });
      assert.equal(slugOf(await change("POST", "/_deactivate")), noFirst);
      assert.equal(slugOf(await change("DELETE")), noFirst);
      const state = await server.rest("GET", `${base}/${id}`, { headers });
      assert.equal(state.body.idp.state, "IDP_STATE_ACTIVE");
      assert.equal(slugOf(await policy("PUT", "", { ...open, allowExternalIdp: true })), "done");
      assert.equal(slugOf(await change("POST", "/_deactivate")), "done");
      assert.equal(slugOf(await policy("PUT", "", { allowExternalIdp: true })), noFirst, "an inactive one is none");
      assert.equal(slugOf(await change("DELETE")), "done");
    }
  });

  test("an organization cannot keep the instance from closing a provider of its own (U3)", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "Acme");
    const policy = policyOf(server, organizationId);
    const id = await putProvider(server, { configuration: oidcAt("https://shared.example") });
    await policy("POST", "", open);
    const added = await policy("POST", "/idps", { idpId: id, ownerType: "IDP_OWNER_TYPE_SYSTEM" });
    assert.ok(slugOf(added) === "done", slugOf(added));
    assert.equal(slugOf(await policy("PUT", "", { allowExternalIdp: true })), "done");
    assert.equal(slugOf(await server.rest("POST", `/admin/v1/idps/${id}/_deactivate`, { body: {} })), "done");
  });
});
