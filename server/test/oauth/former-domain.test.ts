import assert from "node:assert/strict";
import { enginesInTurn } from "../support/databases/turns.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { proveDomain } from "../support/people/prove-domain.ts";
import { ok } from "./support/registered-resources.ts";

const claim = "urn:service:iam:org:domain:primary";
const org = "service.org.v2.OrganizationService";
const domain = "bank.localhost";

enginesInTurn((engine, test) => {
  test("a refreshed token names the primary domain of its scope only while the user's organization has it", async (t) => {
    const server = await startOidcServer(t, { engine });
    const former = await addOrganization(server, "Bank");
    const user = await addPerson(server, { username: "mallory", organizationId: former });
    const scope = `openid offline_access ${claim}:${domain}`;
    let { refresh_token = "" } = await server.tokens({ scope, user });
    const domainsTold = async (): Promise<unknown[]> => {
      const parameters = { grant_type: "refresh_token", refresh_token };
      const { access_token, id_token, ...rest } = await ok(
        server.form("/oauth/v2/token", parameters, server.client.basic),
      );
      refresh_token = rest.refresh_token;
      const { body } = await server.rest("GET", "/oidc/v1/userinfo", { token: access_token });
      const payload = JSON.parse(Buffer.from(id_token.split(".")[1], "base64url").toString());
      return [body[claim], payload[claim], (await server.introspect(access_token))[claim]];
    };
    assert.deepEqual(await domainsTold(), [domain, domain, domain]);

    // It gives the domain up, and the organization that comes next gets it.
    await proveDomain(server, former, "evil.example");
    const headers = { "x-zitadel-orgid": former };
    const path = "/management/v1/orgs/me/domains/evil.example/_set_primary";
    assert.equal((await server.rest("POST", path, { body: {}, headers })).status, 200);
    await ok(server.connect(`${org}/DeleteOrganizationDomain`, { organizationId: former, domain }));
    await ok(server.connect(`${org}/UpdateOrganization`, { organizationId: former, name: "Evil" }));
    const bank = await addOrganization(server, "Bank");
    await server.tokens({ scope, user: await addPerson(server, { username: "vera", organizationId: bank }) });
    assert.deepEqual(await domainsTold(), [undefined, undefined, undefined]);
  });
});
