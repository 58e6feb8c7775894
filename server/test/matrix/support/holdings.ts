import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { signAssertion } from "../../support/assertions.ts";
import { basicOf } from "../../support/oidc.ts";
import { type Estate, endingsOf, wordsOf } from "./estate.ts";

const token = "/oauth/v2/token";

/** What somebody, a service account and an application of one organization hold, each with the question whether it is good. */
export interface Holdings {
  /** Names what is good: asks everything anew. What works once is asked only by the last of these questions. */
  readonly good: Readonly<Record<string, () => Promise<boolean>>>;
  /** What can happen to one of them. */
  readonly endings: Readonly<Record<string, () => Promise<unknown>>>;
}

/** Makes an organization, and everything that can be held in it. */
export async function makeHoldings(estate: Estate): Promise<Holdings> {
  const { server, must, form } = estate;
  const person = await estate.somebody("member");
  const { userId, organizationId } = person;
  const ofOrganization = { organizationId, name: "Shop" };
  const { projectId } = await must("project.v2.ProjectService/CreateProject", ofOrganization);
  const client = await server.createClient({}, projectId);
  // Good for introspection by the client of another project, for userinfo and for our own interface.
  const audiences = [server.projectId, "service"].map((id) => `urn:service:iam:org:project:id:${id}:aud`);
  const scope = ["openid", ...audiences].join(" ");
  const withRefresh = `${scope} offline_access`;
  const jwtClient = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" }, projectId);
  const session = await estate.session(person);
  const opaque = await server.tokens({ client, session, scope: withRefresh });
  const jwt = await server.tokens({ client: jwtClient, session, scope });
  const pending = await server.signIn({ client, session });
  const waiting = await server.wait();
  await server.decide(waiting.user_code, session);
  const robot = await makeRobot(estate, organizationId, scope);

  /** All who look at an access token have to agree. */
  const isToken = async (text = ""): Promise<boolean> => {
    const introspected = await server.introspect(text);
    const userinfo = await estate.ask("here", "/oidc/v1/userinfo", { method: "GET", token: text });
    const own = await estate.ask("here", "user.v2.UserService/ListUsers", { token: text });
    const verdicts = [introspected["active"] === true, userinfo.status === 200, own.status === 200];
    assert.equal(new Set(verdicts).size, 1, `introspection, userinfo, our own interface: ${verdicts.join()}`);
    return verdicts[0] === true;
  };
  const isDone = async (answering: Promise<{ status: number; body: unknown }>): Promise<boolean> =>
    wordsOf(await answering) === "done";
  const redirect = { redirect_uri: client.redirectUri };
  const application = { projectId, applicationId: client.applicationId };
  const users = "user.v2.UserService";
  return {
    good: {
      session: () => isDone(estate.ask("here", "/auth/v1/users/me", { method: "GET", token: session.sessionToken })),
      "sign-in": async () => {
        // With the session to an application of another organization.
        return server.signIn({ client: server.client, session }).then(
          () => true,
          () => false,
        );
      },
      "sign-in here": () =>
        server.signIn({ client, session }).then(
          () => true,
          () => false,
        ),
      password: () => {
        const checks = { user: { userId }, password: { password: estate.password } };
        return isDone(estate.ask("here", "/v2/sessions", { body: { checks } }));
      },
      opaque: () => isToken(opaque["access_token"]),
      jwt: () => isToken(jwt["access_token"]),
      client: () => isDone(form("here", "/oauth/v2/introspect", { token: "x" }, client.basic)),
      pat: () => isDone(estate.ask("here", "/auth/v1/users/me", { method: "GET", token: robot.pat })),
      secret: () => isDone(robot.byCredentials()),
      assertion: () => isDone(robot.byAssertion()),
      "its token": () => isToken(robot.accessToken),
      code: () => {
        const grant = { grant_type: "authorization_code", code: pending.code, code_verifier: pending.codeVerifier };
        return isDone(form("here", token, { ...grant, ...redirect }, client.basic));
      },
      device: () => isDone(server.poll(waiting.device_code)),
      refresh: () => {
        const grant = { grant_type: "refresh_token", refresh_token: opaque["refresh_token"] ?? "" };
        return isDone(form("here", token, grant, client.basic));
      },
    },
    endings: {
      nothing: async () => {},
      ...endingsOf(estate, person),
      "its session is ended": () => must(`/v2/sessions/${session.sessionId}`, {}, { method: "DELETE" }),
      "its password is changed": () =>
        must(`/v2/users/${userId}/password`, { newPassword: { password: "another long passphrase" } }),
      "its application is deactivated": () =>
        must("application.v2.ApplicationService/DeactivateApplication", application),
      "its application is deleted": () => must("application.v2.ApplicationService/DeleteApplication", application),
      "its project is deactivated": () => must("project.v2.ProjectService/DeactivateProject", { projectId }),
      "its project is deleted": () => must("project.v2.ProjectService/DeleteProject", { projectId }),
      "its client secret is made anew": () =>
        must("application.v2.ApplicationService/GenerateClientSecret", application),
      "its access token is revoked": () =>
        form("here", "/oauth/v2/revoke", { token: opaque["access_token"] ?? "" }, client.basic),
      "its refresh token is revoked": () =>
        form("here", "/oauth/v2/revoke", { token: opaque["refresh_token"] ?? "" }, client.basic),
      "the service account is deactivated": () => must(`${users}/DeactivateUser`, { userId: robot.userId }),
      "the service account is locked": () => must(`${users}/LockUser`, { userId: robot.userId }),
      "the service account is deleted": () => must(`${users}/DeleteUser`, { userId: robot.userId }),
      "its personal access token is removed": () =>
        must(`/v2/users/${robot.userId}/pats/${robot.patId}`, {}, { method: "DELETE" }),
      "its secret is removed": () => must(`/v2/users/${robot.userId}/secret`, {}, { method: "DELETE" }),
      "its key is removed": () => must(`/v2/users/${robot.userId}/keys/${robot.keyId}`, {}, { method: "DELETE" }),
    },
  };
}

async function makeRobot({ server, must, form }: Estate, organizationId: string, scope: string) {
  const username = `robot-${randomBytes(4).toString("hex")}`;
  const { id: userId } = await must("user.v2.UserService/CreateUser", {
    ...{ organizationId, username, machine: { name: "Robot" } },
  });
  const expirationDate = "2100-01-01T00:00:00Z";
  const { token: pat, tokenId: patId } = await must(`/v2/users/${userId}/pats`, { expirationDate });
  const { clientSecret } = await must(`/v2/users/${userId}/secret`, {});
  const { keyContent } = await must(`/v2/users/${userId}/keys`, { expirationDate });
  const key = JSON.parse(Buffer.from(keyContent, "base64").toString("utf8"));
  const byCredentials = () =>
    form("here", token, { grant_type: "client_credentials", scope }, basicOf(username, clientSecret));
  const byAssertion = () => {
    const assertion = signAssertion(server, { ...key, subject: userId });
    const grant_type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    return form("here", token, { grant_type, scope, assertion });
  };
  const { body } = await byCredentials();
  return { userId, pat, patId, keyId: key.keyId, byCredentials, byAssertion, accessToken: body.access_token as string };
}
