import assert from "node:assert/strict";
import { slugOf } from "../../factor/support.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../../support/people/people.ts";
import type { TestServer } from "../../support/servers/server.ts";

/** What an administrator of an organization does to its login settings and providers; each returns the refusal. */
export function handsOf(server: TestServer, organizationId: string, token: string | undefined) {
  const by = { headers: { "x-service-orgid": organizationId }, ...(token !== undefined && { token }) };
  const ask = (method: string, path: string, body?: object) =>
    server.rest(method, `/management/v1${path}`, { ...by, ...(body !== undefined && { body }) });
  const provider = (issuer: string) => ({
    name: issuer,
    issuer,
    clientId: "doorward",
    clientSecret: "secret",
    scopes: ["openid"],
    providerOptions: { isLinkingAllowed: true, isCreationAllowed: true },
  });
  return {
    addProvider: async (issuer: string): Promise<string> => {
      const made = await ask("POST", "/idps/generic_oidc", provider(issuer));
      assert.equal(slugOf(made), "done");
      return made.body.id;
    },
    changeProvider: async (id: string, issuer: string) =>
      slugOf(await ask("PUT", `/idps/generic_oidc/${id}`, provider(issuer))),
    setPolicy: async (method: "POST" | "PUT", body: object) => slugOf(await ask(method, "/policies/login", body)),
    resetPolicy: async () => slugOf(await ask("DELETE", "/policies/login")),
    offer: async (idpId: string) =>
      slugOf(await ask("POST", "/policies/login/idps", { idpId, ownerType: "IDP_OWNER_TYPE_ORG" })),
    forbid: async (factor: string) =>
      slugOf(await ask("DELETE", `/policies/login/second_factors/SECOND_FACTOR_TYPE_${factor}`)),
    withdraw: async (id: string) => slugOf(await ask("DELETE", `/policies/login/idps/${id}`)),
    deactivate: async (id: string) => slugOf(await ask("POST", `/idps/${id}/_deactivate`, {})),
    remove: async (id: string) => slugOf(await ask("DELETE", `/idps/${id}`)),
  };
}

/** Makes a manager of the organization's settings who is at home elsewhere, and returns their token. */
export async function addManager(server: TestServer, organizationId: string): Promise<string> {
  const manager = await addPerson(server, {
    username: `eve-${organizationId}`,
    organizationId: await addOrganization(server, `agency-${organizationId}`),
  });
  await appoint(server, manager, { organizationId }, ["ORG_SETTINGS_MANAGER"]);
  return (await sessionOf(server, manager)).token;
}
