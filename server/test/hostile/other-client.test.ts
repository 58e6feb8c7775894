import assert from "node:assert/strict";
import { test } from "node:test";
import { fetch } from "../support/http/fetch.ts";
import { type OidcServer, startOidcServer, type TestClient } from "../support/oidc/oidc.ts";
import { addOrganization } from "../support/people/people.ts";

/** Something that was given to one client: what it is worth to whom presents it. */
interface Thing {
  readonly name: string;
  readonly needsNoProof?: boolean;
  /** Another one each time, and how a client presents it. */
  make(): Promise<
    (client: Sender) => Promise<{ readonly isTaken: boolean; readonly status: number; readonly body: unknown }>
  >;
}

/** How a client proves itself: by a header, or by its id alone. */
interface Sender {
  readonly header: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
  readonly clientId: string;
}

test("what was given to one client is worth nothing to another, and trying does not spend it (CVE-2026-55672)", async (t) => {
  const server = await startOidcServer(t);
  const own = confidential(server.client);
  const others = await makeOthers(server);
  for (const { name, needsNoProof, make } of thingsOf(server)) {
    await t.test(name, async () => {
      const present = await make();
      for (const [who, client] of Object.entries(others)) {
        if (needsNoProof && client.clientId === own.clientId) continue;
        const { isTaken, status, body } = await present(client);
        assert.ok(!isTaken, `${who}: ${JSON.stringify(body)}`);
        assert.ok(status < 500, `${who}: ${status}`);
      }
      const { isTaken, body } = await present(own);
      assert.ok(isTaken, `its own client: ${JSON.stringify(body)}`);
    });
  }
});

const confidential = ({ clientId, basic }: TestClient): Sender => ({ header: basic, parameters: {}, clientId });
const open = ({ clientId }: TestClient): Sender => ({ header: {}, parameters: { client_id: clientId }, clientId });

async function makeOthers(server: OidcServer): Promise<Readonly<Record<string, Sender>>> {
  const organizationId = await addOrganization(server, "Elsewhere");
  const { body } = await server.connect("service.project.v2.ProjectService/CreateProject", {
    organizationId,
    name: "Elsewhere",
  });
  const none = { authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" };
  const sibling = await server.createClient();
  return {
    "a sibling": confidential(sibling),
    "a public sibling": open(await server.createClient(none)),
    "a client of another organization": confidential(await server.createClient({}, body.projectId)),
    "a public client of another organization": open(await server.createClient(none, body.projectId)),
    "a sibling that says it is the other": {
      ...confidential(sibling),
      parameters: { client_id: server.client.clientId },
    },
    "somebody without a proof": open(server.client),
  };
}

function thingsOf(server: OidcServer): Thing[] {
  const { client } = server;
  const ask = async ({ header, parameters }: Sender, path: string, more: Readonly<Record<string, string>>) => {
    const { status, body } = await server.form(path, { ...parameters, ...more }, header);
    return { isTaken: status === 200, status, body };
  };
  return [
    {
      name: "a code",
      make: async () => {
        const { code, codeVerifier } = await server.signIn();
        const form = { grant_type: "authorization_code", code, code_verifier: codeVerifier };
        return (sender) => ask(sender, "/oauth/v2/token", { ...form, redirect_uri: client.redirectUri });
      },
    },
    {
      name: "a refresh token",
      make: async () => {
        const { refresh_token: given = "" } = await server.tokens({ scope: "openid offline_access" });
        const form = { grant_type: "refresh_token", refresh_token: given };
        return (sender) => ask(sender, "/oauth/v2/token", form);
      },
    },
    ...["access_token", "refresh_token"].map((which) => ({
      name: `the right to revoke: ${which}`,
      make: async () => {
        const given = await server.tokens({ scope: "openid offline_access" });
        return async (sender: Sender) => {
          const { status, body } = await ask(sender, "/oauth/v2/revoke", { token: given[which] ?? "" });
          const isActive = (await server.introspect(given["access_token"] ?? ""))["active"] === true;
          return { isTaken: !isActive, status, body };
        };
      },
    })),
    {
      name: "a pushed request",
      // A browser brings it, and has no other proof than the id.
      needsNoProof: true,
      make: async () => {
        const request = { client_id: client.clientId, redirect_uri: client.redirectUri, response_type: "code" };
        const { body } = await server.form("/oauth/v2/par", { ...request, scope: "openid" }, client.basic);
        return async ({ clientId }) => {
          const query = new URLSearchParams({ client_id: clientId, request_uri: body.request_uri });
          const answer = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
          const location = answer.headers.get("location") ?? "";
          return { isTaken: location.startsWith("/ui/login"), status: answer.status, body: location };
        };
      },
    },
  ];
}
