import { createRequire } from "node:module";
import { basic, type RequestParts } from "../load/request.ts";
import { createApi } from "../product/api.ts";

/** What a well-behaved tenant does, and what its neighbor floods with. */
export interface Tenants {
  readonly measured: Readonly<Record<string, RequestParts>>;
  readonly floods: Readonly<Record<string, RequestParts>>;
}

const password = "correct horse battery staple";
const from = "198.51.100.1";
/** Where the neighbor's own servers are. */
const there = "203.0.113.7";
const { hashSync } = createRequire(new URL("../../server/package.json", import.meta.url))("@node-rs/bcrypt") as {
  hashSync(text: string, cost: number): string;
};

/** Fills a fresh server with two organizations that have nothing to do with each other. */
export async function makeTenants(origin: string, ownerToken: string): Promise<Tenants> {
  const api = createApi(origin, ownerToken);
  const make = async (name: string) => {
    const { organizationId } = await api("/v2/organizations", { name });
    const { projectId } = await api("/service.project.v2.ProjectService/CreateProject", { organizationId, name });
    const { oidcConfiguration } = await api("/service.application.v2.ApplicationService/CreateApplication", {
      projectId,
      name,
      oidcConfiguration: { redirectUris: ["https://app.example/callback"] },
    });
    const person = async (username: string): Promise<string> => {
      const profile = { givenName: username, familyName: name };
      const email = { email: `${username}@${name}.example`, isVerified: true };
      const human = { profile, email, password: { password, changeRequired: false } };
      return (await api("/v2/users/new", { organizationId, username, human })).id;
    };
    const machine = { organizationId, username: `${name}-robot`, machine: { name } };
    const { id: userId } = await api("/v2/users/new", machine);
    const owner = { userId, resource: { organizationId }, roles: ["ORG_OWNER"] };
    await api("/service.internal_permission.v2.InternalPermissionService/CreateAdministrator", owner);
    const { token } = await api(`/v2/users/${userId}/pats`, { expirationDate: "2100-01-01T00:00:00Z" });
    const { clientSecret } = await api(`/v2/users/${userId}/secret`, {});
    const { clientId } = oidcConfiguration;
    return {
      person,
      client: basic(clientId, oidcConfiguration.clientSecret),
      robot: basic(machine.username, clientSecret),
      bearer: `Bearer ${token}`,
    };
  };
  const quiet = await make("quiet");
  const loud = await make("loud");
  const [ada, prey, imported] = [await quiet.person("ada"), await loud.person("prey"), await loud.person("imported")];
  for (let count = 0; count < 50; count++) await quiet.person(`person${count}`);
  await api("/service.user.v2.UserService/UpdateUser", {
    userId: imported,
    human: { password: { hashedPassword: { hash: hashSync("nobody knows", 12) } } },
  });
  const session = (userId: string, guess: string, address: string): RequestParts => ({
    method: "POST",
    path: "/v2/sessions",
    authorization: `Bearer ${ownerToken}`,
    from: address,
    json: { checks: { user: { userId }, password: { password: guess } } },
  });
  const users = { method: "POST", path: "/v2/users", from } as const;
  const queries = Array.from({ length: 50 }, (_, index) => ({
    userNameQuery: { userName: `a{n}${index}`, method: "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE" },
  }));
  const request = {
    redirect_uri: "https://app.example/callback",
    response_type: "code",
    scope: "openid",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  };
  return {
    measured: {
      "a sign-in": session(ada, password, from),
      introspection: {
        method: "POST",
        path: "/oauth/v2/introspect",
        authorization: quiet.client,
        from,
        form: { token: "x" },
      },
      "a token": {
        method: "POST",
        path: "/oauth/v2/token",
        authorization: quiet.robot,
        from,
        form: { grant_type: "client_credentials", scope: "openid" },
      },
      "a list": { ...users, authorization: quiet.bearer, json: { query: { limit: 20 } } },
    },
    floods: {
      logins: session(prey, "a guess {n}", "{source}"),
      "registrations with silent name servers": {
        method: "POST",
        path: "/oauth/v2/register",
        from: there,
        json: {
          redirect_uris: ["https://app.example/callback"],
          sector_identifier_uri: "https://s{n}.example/list",
        },
      },
      "lists with 50 conditions": { ...users, from: there, authorization: loud.bearer, json: { queries } },
      "imported hashes": session(imported, "a guess {n}", "{source}"),
      "pushed requests": {
        method: "POST",
        path: "/oauth/v2/par",
        authorization: loud.client,
        from: there,
        form: { ...request, state: "{n}", id_token_hint: "h".repeat(16_000) },
      },
      "small pushed requests": {
        method: "POST",
        path: "/oauth/v2/par",
        authorization: loud.client,
        from: there,
        form: { ...request, state: "{n}" },
      },
    },
  };
}
