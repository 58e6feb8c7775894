import assert from "node:assert/strict";
import { type ExchangeServer, exchangeGrant, type Somebody, typeOf } from "../oauth/token-exchange/support.ts";
import { enginesInTurn } from "../support/databases/turns.ts";
import { fetchNonce, makeProof, makeProofKey, type ProofKey } from "../support/oidc/dpop.ts";
import { basicOf, type TestClient } from "../support/oidc/oidc.ts";
import { setRegistration } from "../support/oidc/registration.ts";
import { etagOf } from "../support/oidc/trust.ts";
import { addOrganization, appoint, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import {
  delegated,
  done,
  type Format,
  forApis,
  formats,
  iam,
  makeIssuer,
  makeRegistrant,
  notForApis,
  type Presented,
  refused,
  startBearerServer,
  taken,
  type Verdicts,
  verdictsOn,
} from "./support.ts";

const permissions = "service.internal_permission.v2.InternalPermissionService";

/** A live token, and everything that its ends begin from. */
interface Issued extends Presented {
  readonly person: Somebody;
  readonly client: TestClient;
  readonly tokens: Readonly<Record<string, string>>;
  readonly sessionId: string;
}

/** One kind of token: how it is made, what is said of it, and what is said after each of its ends. */
interface Kind {
  readonly make: (server: ExchangeServer, format: Format) => Promise<Issued>;
  readonly live: Verdicts;
  readonly ends: Readonly<
    Record<string, readonly [(server: ExchangeServer, issued: Issued) => Promise<unknown>, Verdicts]>
  >;
}

/** Redeems a code of a new person; with a key, the token is bound to it. */
async function issue(
  server: ExchangeServer,
  client: TestClient,
  given: { readonly scope?: string; readonly key?: ProofKey; readonly person?: Somebody } = {},
): Promise<Issued> {
  const { scope = forApis, key } = given;
  const person = given.person ?? (await makeRegistrant(server));
  const path = "/oauth/v2/token";
  const { code, codeVerifier, sessionId } = await server.signIn({ user: person, client, scope });
  const dpop = key && (await makeProof(server, key, { path, nonce: await fetchNonce(server, key) }));
  const form = {
    grant_type: "authorization_code",
    code,
    redirect_uri: client.redirectUri,
    code_verifier: codeVerifier,
  };
  const tokens = await done(server.form(path, form, { ...client.basic, ...(dpop !== undefined && { dpop }) }));
  return { token: tokens.access_token, userId: person.userId, key, person, client, tokens, sessionId };
}

async function exchange(server: ExchangeServer, subject: Issued, more: Readonly<Record<string, string>> = {}) {
  const form = {
    grant_type: exchangeGrant,
    subject_token: subject.token,
    subject_token_type: typeOf.access_token,
    scope: forApis,
    ...more,
  };
  const tokens = await done(server.form("/oauth/v2/token", form, subject.client.basic));
  return { ...subject, token: tokens.access_token, tokens };
}

const revoke = (server: ExchangeServer, { client }: Issued, token: string | undefined) =>
  done(server.form("/oauth/v2/revoke", { token: token ?? "" }, client.basic));
const byRest = (server: ExchangeServer, path: string) => done(server.rest("POST", path, { body: {} }));
const trust = async (server: ExchangeServer, { client }: Issued, trustedForApi: boolean) =>
  done(
    server.connect("service.application.v2.ApplicationService/UpdateApplication", {
      projectId: server.projectId,
      applicationId: client.applicationId,
      etag: await etagOf(server, client.applicationId),
      oidcConfiguration: { trustedForApi },
    }),
  );

/** Ends of everything that a person got by a sign-in at an application. */
const commonEnds: Kind["ends"] = {
  "it expires": [async ({ clock }) => (clock.now += 3_600_000 * 13), refused],
  "it is revoked": [(server, issued) => revoke(server, issued, issued.token), refused],
  "its refresh token is revoked": [(server, issued) => revoke(server, issued, issued.tokens["refresh_token"]), refused],
  "its session ends": [
    (server, { sessionId }) => done(server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} })),
    refused,
  ],
  "its user is deactivated": [(server, { userId }) => byRest(server, `/v2/users/${userId}/deactivate`), refused],
  "its user is locked": [(server, { userId }) => byRest(server, `/v2/users/${userId}/lock`), refused],
  "its user is deleted": [({ rest }, { userId }) => done(rest("DELETE", `/v2/users/${userId}`)), refused],
  "its application is deactivated": [
    (server, { client: { applicationId } }) =>
      done(
        server.connect("service.application.v2.ApplicationService/DeactivateApplication", {
          projectId: server.projectId,
          applicationId,
        }),
      ),
    refused,
  ],
};

const kinds: Readonly<Record<string, Kind>> = {
  "a token of an application that our APIs trust": {
    make: async (server, format) => issue(server, await makeIssuer(server, format)),
    live: taken,
    ends: { ...commonEnds, "the trust ends": [(server, issued) => trust(server, issued, false), notForApis] },
  },
  "a token without our APIs in its audience": {
    make: async (server, format) => issue(server, await makeIssuer(server, format), { scope: "openid offline_access" }),
    live: notForApis,
    ends: { "it is revoked": commonEnds["it is revoked"] ?? assert.fail() },
  },
  "a token of an application that is not trusted, for a right that the user agreed to": {
    make: async (server, format) =>
      issue(server, await makeIssuer(server, format, { trustedForApi: false }), { scope: `openid ${iam}:api:me:read` }),
    // A right to read one's own data is none to register clients.
    live: { ...taken, registration: 403 },
    ends: {
      "it is revoked": commonEnds["it is revoked"] ?? assert.fail(),
      "the user is signed out": commonEnds["its session ends"] ?? assert.fail(),
    },
  },
  "a token of a trusted application that names one right": {
    make: async (server, format) =>
      issue(server, await makeIssuer(server, format), { scope: `${forApis} ${iam}:api:me:read` }),
    live: { ...taken, registration: 403 },
    ends: {
      "the trust ends, to which the user never agreed": [(server, issued) => trust(server, issued, false), notForApis],
    },
  },
  "a bound token with its proof": {
    make: async (server, format) => issue(server, await makeIssuer(server, format), { key: await makeProofKey() }),
    live: taken,
    ends: commonEnds,
  },
  "an exchanged token": {
    make: async (server, format) => exchange(server, await issue(server, await makeIssuer(server, format))),
    live: taken,
    ends: {
      ...commonEnds,
      "the trust ends": [(server, issued) => trust(server, issued, false), notForApis],
    },
  },
  "a delegated token": {
    make: async (server, format) => {
      const client = await makeIssuer(server, format);
      const actor = await issue(server, client);
      await server.appoint(actor.userId, ["IAM_ADMIN_IMPERSONATOR"]);
      const subject = await issue(server, client);
      const acting = { actor_token: actor.token, actor_token_type: typeOf.access_token };
      const issued = await exchange(server, subject, acting);
      return { ...issued, tokens: { ...issued.tokens, actorId: actor.userId, actorToken: actor.token } };
    },
    live: delegated,
    ends: {
      ...commonEnds,
      "the actor's role is taken": [
        (server, { tokens }) =>
          done(
            server.connect(`${permissions}/DeleteAdministrator`, {
              userId: tokens["actorId"],
              resource: { instance: true },
            }),
          ),
        refused,
      ],
      "the actor's own token is revoked": [
        (server, issued) => revoke(server, issued, issued.tokens["actorToken"]),
        refused,
      ],
      // The right to act for others went through it (`authority/is-still-let-in.ts`).
      "the trust in the application ends": [(server, issued) => trust(server, issued, false), refused],
      "the actor is deactivated": [
        (server, { tokens }) => byRest(server, `/v2/users/${tokens["actorId"]}/deactivate`),
        refused,
      ],
    },
  },
};

enginesInTurn((engine, test) => {
  for (const format of Object.keys(formats) as Format[]) {
    for (const [name, { make, live, ends }] of Object.entries(kinds)) {
      test(`every endpoint gives the same verdict on ${name} (${format})`, async (t) => {
        const server = await startBearerServer(t, { engine });
        for (const [how, [end, dead]] of Object.entries(ends)) {
          const issued = await make(server, format);
          assert.deepEqual(await verdictsOn(server, issued), live, `before: ${how}`);
          await end(server, issued);
          assert.deepEqual(await verdictsOn(server, issued), dead, how);
        }
      });
    }

    test(`a bound token opens nothing without the proof of its key (${format})`, async (t) => {
      const server = await startBearerServer(t, { engine });
      const [key, other] = [await makeProofKey(), await makeProofKey()];
      const client = await makeIssuer(server, format);
      const bound = await issue(server, client, { key });
      const held = { ...refused, introspection: "active" } as const;
      assert.deepEqual(await verdictsOn(server, { ...bound, key: undefined }), held, "as Bearer");
      assert.deepEqual(await verdictsOn(server, { ...bound, key: other }), held, "with another key");
      const plain = await issue(server, client);
      assert.deepEqual(await verdictsOn(server, { ...plain, key }), held, "a bearer token with a proof");
      // Where anyone may register, a token that was sent counts all the same.
      await setRegistration(server, "open");
      assert.deepEqual(await verdictsOn(server, { ...bound, key: other }), held, "with another key, registration open");
      assert.deepEqual(await verdictsOn(server, bound), taken, "with its key, registration open");
    });

    test(`tokens end with the project, the organization and the user's organization (${format})`, async (t) => {
      const server = await startBearerServer(t, { engine });
      const ofOwner = {
        project: (projectId: string, _: string) =>
          server.connect("service.project.v2.ProjectService/DeactivateProject", { projectId }),
        organization: (_: string, organizationId: string) =>
          server.connect("service.org.v2.OrganizationService/DeactivateOrganization", { organizationId }),
      };
      // The application of the server may ask about these as well.
      const scope = `${forApis} ${iam}:org:project:id:${server.projectId}:aud`;
      for (const [what, deactivate] of Object.entries(ofOwner)) {
        const organizationId = await addOrganization(server, `Owner ${what}`);
        const made = { organizationId, name: "Owned" };
        const { projectId } = await done(server.connect("service.project.v2.ProjectService/CreateProject", made));
        const configuration = { accessTokenType: formats[format], trustedForApi: true };
        const client = await server.createClient(configuration, projectId);
        const issued = await issue(server, client, { scope });
        assert.deepEqual(await verdictsOn(server, issued), taken, what);
        await done(deactivate(projectId, organizationId));
        assert.deepEqual(await verdictsOn(server, issued), refused, what);
      }
      const organizationId = await addOrganization(server, "Home");
      const person = await makeRegistrant(server, organizationId);
      const issued = await issue(server, await makeIssuer(server, format), { person });
      assert.deepEqual(await verdictsOn(server, issued), taken);
      await done(ofOwner.organization("", organizationId));
      assert.deepEqual(await verdictsOn(server, issued), refused, "the user's organization");
    });

    test(`what was exchanged ends with its source everywhere (${format})`, async (t) => {
      const server = await startBearerServer(t, { engine });
      const sources: Readonly<Record<string, (source: Issued) => Promise<unknown>>> = {
        "the source is revoked": (source) => revoke(server, source, source.token),
        "the family of the source is revoked": (source) => revoke(server, source, source.tokens["refresh_token"]),
      };
      for (const [how, end] of Object.entries(sources)) {
        const source = await issue(server, await makeIssuer(server, format));
        const derived = await exchange(server, await exchange(server, source));
        assert.deepEqual(await verdictsOn(server, derived), taken, how);
        await end(source);
        assert.deepEqual(await verdictsOn(server, derived), refused, how);
      }
    });

    test(`every endpoint gives the same verdict on a service account's own token (${format})`, async (t) => {
      const server = await startBearerServer(t, { engine });
      await changeSettings(server, "oidc", { accessTokenLifetimeSeconds: 3600 });
      const accessTokenType = format === "jwt" ? "ACCESS_TOKEN_TYPE_JWT" : "ACCESS_TOKEN_TYPE_BEARER";
      const asked = `openid ${iam}:org:project:id:${server.projectId}:aud`;
      const ends: Readonly<Record<string, (account: Presented) => Promise<unknown>>> = {
        expires: async () => (server.clock.now += 3_600_001),
        deactivated: ({ userId }) => byRest(server, `/v2/users/${userId}/deactivate`),
        deleted: ({ userId }) => done(server.rest("DELETE", `/v2/users/${userId}`)),
      };
      for (const [how, end] of Object.entries(ends)) {
        const username = `robot-${how}`;
        const machine = { name: username, accessTokenType };
        const { organizationId } = server;
        const { id: userId } = await done(
          server.rest("POST", "/v2/users/new", { body: { organizationId, username, machine } }),
        );
        await appoint(server, { userId }, { organizationId }, ["ORG_DYNAMIC_CLIENT_REGISTRAR"]);
        const { clientSecret } = await done(server.rest("POST", `/v2/users/${userId}/secret`, { body: {} }));
        const tokenFor = async (scope: string): Promise<Presented> => {
          const form = { grant_type: "client_credentials", scope };
          const { access_token: token } = await done(
            server.form("/oauth/v2/token", form, basicOf(username, clientSecret)),
          );
          return { token, userId };
        };
        const full = await tokenFor(`${asked} ${iam}:org:project:id:service:aud`);
        const narrow = await tokenFor(`${asked} ${iam}:org:project:id:service:aud ${iam}:api:me:read`);
        const foreign = await tokenFor(asked);
        assert.deepEqual(await verdictsOn(server, full), taken);
        assert.deepEqual(await verdictsOn(server, narrow), { ...taken, registration: 403 }, "one right");
        assert.deepEqual(await verdictsOn(server, foreign), notForApis, "not for our APIs");
        await end(full);
        for (const one of [full, narrow, foreign]) assert.deepEqual(await verdictsOn(server, one), refused, how);
      }
    });
  }

  test("every endpoint gives the same verdict on a personal access token", async (t) => {
    const server = await startBearerServer(t, { engine });
    const ends: Readonly<
      Record<string, (made: Presented & { tokenId: string; organizationId: string }) => Promise<unknown>>
    > = {
      expired: async () => (server.clock.now += 3_600_001),
      removed: ({ userId, tokenId }) => done(server.rest("DELETE", `/v2/users/${userId}/pats/${tokenId}`)),
      deactivated: ({ userId }) => byRest(server, `/v2/users/${userId}/deactivate`),
      homeless: ({ organizationId }) =>
        done(server.connect("service.org.v2.OrganizationService/DeactivateOrganization", { organizationId })),
    };
    for (const [how, end] of Object.entries(ends)) {
      const organizationId = await addOrganization(server, how);
      const body = { organizationId, username: how, machine: { name: how } };
      const { id: userId } = await done(server.rest("POST", "/v2/users/new", { body }));
      await appoint(server, { userId }, { organizationId }, ["ORG_DYNAMIC_CLIENT_REGISTRAR"]);
      const expirationDate = new Date(server.clock.now + 3_600_000).toISOString();
      const made = await done(server.rest("POST", `/v2/users/${userId}/pats`, { body: { expirationDate } }));
      const presented = { ...made, userId, organizationId };
      assert.deepEqual(await verdictsOn(server, presented), taken, how);
      const key = await makeProofKey();
      assert.deepEqual(await verdictsOn(server, { ...presented, key }), { ...refused, introspection: "active" }, how);
      await end(presented);
      assert.deepEqual(await verdictsOn(server, presented), refused, how);
    }
  });

  test("only access tokens are accepted, except for session tokens at the APIs", async (t) => {
    const server = await startBearerServer(t, { engine });
    const issued = await issue(server, await makeIssuer(server, "jwt"));
    const { person, tokens, userId } = issued;
    const others: Readonly<Record<string, string | undefined>> = {
      "a refresh token": tokens["refresh_token"],
      "an id token": tokens["id_token"],
      "a changed JWT": issued.token.replace(/.$/, (last) => (last === "A" ? "Q" : "A")),
      "an unknown token": `dwa_${"x".repeat(43)}`,
      "a text": "hello",
    };
    for (const [what, token = ""] of Object.entries(others)) {
      assert.deepEqual(await verdictsOn(server, { token, userId }), refused, what);
    }
    const organizationId = server.organizationId;
    const { token } = await sessionOf(server, { ...person, organizationId });
    assert.deepEqual(await verdictsOn(server, { token, userId }), { ...refused, rest: 200, connect: 200 });
  });
});
