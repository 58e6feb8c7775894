import assert from "node:assert/strict";
import { test } from "node:test";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { addOrganization } from "../support/people/people.ts";

// The audience of our own interface, so that every verifier could take the token.
const scope = "openid urn:service:iam:org:project:id:service:aud";

interface Owned {
  readonly organizationId: string;
  readonly projectId: string;
  readonly applicationId: string;
}

/** What takes an application out of service, and how. */
const deactivations: Readonly<Record<string, (server: OidcServer, owned: Owned) => Promise<unknown>>> = {
  application: (server, { projectId, applicationId }) =>
    good(
      server.connect("service.application.v2.ApplicationService/DeactivateApplication", { projectId, applicationId }),
    ),
  project: (server, { projectId }) =>
    good(server.connect("service.project.v2.ProjectService/DeactivateProject", { projectId })),
  organization: (server, { organizationId }) =>
    good(server.connect("service.org.v2.OrganizationService/DeactivateOrganization", { organizationId })),
};

test("what was issued to an application stops everywhere when it, its project or its organization is deactivated", async (t) => {
  const server = await startOidcServer(t);
  for (const [what, deactivate] of Object.entries(deactivations)) {
    for (const accessTokenType of ["OIDC_TOKEN_TYPE_BEARER", "OIDC_TOKEN_TYPE_JWT"]) {
      const organizationId = await addOrganization(server, `${what} ${accessTokenType}`);
      const { owned, token } = await issue(server, organizationId, accessTokenType);
      assert.deepEqual(await verdicts(server, token), ["active", 200, 200], what);
      await deactivate(server, owned);
      assert.deepEqual(await verdicts(server, token), ["inactive", 401, 401], `${what} ${accessTokenType}`);
    }
  }
});

async function issue(server: OidcServer, organizationId: string, accessTokenType: string) {
  const { projectId } = await good(
    server.connect("service.project.v2.ProjectService/CreateProject", { organizationId, name: "Owned" }),
  );
  const client = await server.createClient({ accessTokenType }, projectId);
  const wanted = `${scope} urn:service:iam:org:project:id:${server.projectId}:aud`;
  const { access_token: token = "" } = await server.tokens({ client, scope: wanted });
  return { owned: { organizationId, projectId, applicationId: client.applicationId }, token };
}

/** What introspection, userinfo and our own interface say of a token. */
async function verdicts(server: OidcServer, token: string): Promise<unknown[]> {
  const { active } = await server.introspect(token);
  const userinfo = await server.rest("GET", "/oidc/v1/userinfo", { token });
  const own = await server.connect("service.user.v2.UserService/ListUsers", {}, { token });
  return [active === true ? "active" : "inactive", userinfo.status, own.status];
}

async function good(asking: ReturnType<OidcServer["connect"]>) {
  const { status, body } = await asking;
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}
