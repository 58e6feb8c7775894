import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { seconds } from "../../../src/base/clock.ts";
import { ownerOf } from "../../account/support/account.ts";
import { exchangeGrant, typeOf } from "../../oauth/token-exchange/support.ts";
import { assertionType, signAssertion } from "../../support/oidc/assertions.ts";
import { basicOf } from "../../support/oidc/oidc.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { type Estate, endingsOf, wordsOf } from "../support/estate.ts";
import type { Holdings, Table } from "./table.ts";

const token = "/oauth/v2/token";

/** What a user, a service account and applications of one organization hold. */
export const tokens: Table = {
  name: "what ends takes everything along that rests on it, and nothing else",
  held: [
    "session",
    "cookie",
    "sign-in",
    "sign-in here",
    "password",
    "opaque",
    "jwt",
    "exchanged",
    "subject",
    "code",
    "device",
    "refresh",
    "client",
    "client by key",
    "pat",
    "secret",
    "assertion",
    "its token",
  ],
  once: ["code", "device", "refresh"],
  grid: {
    //                                      s c s h p o j e s   c d r   c k   p s a t
    nothing: /*                          */ ". . . . . . . . .   . . .   . .   . . . .",
    "its user is deactivated": /*        */ "x x x x x x x x x   x x x   . .   . . . .",
    "its user is locked": /*             */ "x x x x x x x x x   x x x   . .   . . . .",
    "its user is deleted": /*            */ "x x x x x x x x x   x x x   . .   . . . .",
    "its organization is deactivated": /**/ "x x x x x x x x x   x x x   x x   x x x x",
    "its organization is deleted": /*    */ "x x x x x x x x x   x x x   x x   x x x x",
    "its session is ended": /*           */ "x . x x . x x x x   x x x   . .   . . . .",
    "its password is changed": /*        */ "x x x x x x x x x   x x x   . .   . . . .",
    "its organization forbids passwords": /**/ "x . x x . . . . .   . . .   . .   . . . .",
    "its organization demands two factors": /**/ "x x x x . . . . .   . . .   . .   . . . .",
    "its application is deactivated": /* */ ". . . x . x . x x   x . x   x .   . . . .",
    "its application is deleted": /*     */ ". . . x . x . x x   x . x   x .   . . . .",
    "its project is deactivated": /*     */ ". . . x . x x x x   x . x   x x   . . . .",
    "its project is deleted": /*         */ ". . . x . x x x x   x . x   x x   . . . .",
    "its client secret is made anew": /* */ ". . . . . . . . .   x . x   x .   . . . .",
    "its application may renew no more": /**/ ". . . . . . . . .   . . x   . .   . . . .",
    "its application has another address": /**/ ". . . x . . . . .   . . .   . .   . . . .",
    "its application has to prove itself by a key": /**/ ". . . . . . . . .   x . x   x .   . . . .",
    "its access token is revoked": /*    */ ". . . . . x . x x   . . .   . .   . . . .",
    "its refresh token is revoked": /*   */ ". . . . . x . x x   . . x   . .   . . . .",
    "its user takes back what the application may": /**/ ". . . . . x . x x   x . x   . .   . . . .",
    "the key of its application is removed": /**/ ". . . . . . . . .   . . .   . x   . . . .",
    "the key of its application expires": /**/ ". . . . . . . . .   . . .   . x   . . . .",
    "the service account is deactivated": /**/ ". . . . . . . . .   . . .   . .   x x x x",
    "the service account is locked": /*  */ ". . . . . . . . .   . . .   . .   x x x x",
    "the service account is deleted": /* */ ". . . . . . . . .   . . .   . .   x x x x",
    "its personal access token is removed": /**/ ". . . . . . . . .   . . .   . .   x . . .",
    "its personal access token expires": /**/ ". . . . . . . . .   . . .   . .   x . . .",
    "its secret is removed": /*          */ ". . . . . . . . .   . . .   . .   . x . .",
    "its key is removed": /*             */ ". . . . . . . . .   . . .   . .   . . x .",
    "its key expires": /*                */ ". . . . . . . . .   . . .   . .   . . x .",
  },
  make: makeHoldings,
};

// Within the lifetime of a code, so that only what expires is too old.
const soon = seconds(30);

async function makeHoldings(estate: Estate, ending: string): Promise<Holdings> {
  const { server, must, form } = estate;
  const person = await estate.somebody("member");
  const { userId, organizationId } = person;
  const ofOrganization = { organizationId, name: "Shop" };
  const { projectId } = await must("project.v2.ProjectService/CreateProject", ofOrganization);
  const client = await server.createClient({ trustedForApi: true }, projectId);
  // Valid for introspection by the client of another project, for userinfo and for our own API.
  const audiences = [server.projectId, "service"].map((id) => `urn:service:iam:org:project:id:${id}:aud`);
  const scope = ["openid", ...audiences].join(" ");
  const withRefresh = `${scope} offline_access`;
  const until = (end: string) =>
    ending === end ? new Date(server.clock.now + soon).toISOString() : "2100-01-01T00:00:00Z";
  const trustedJwt = { accessTokenType: "OIDC_TOKEN_TYPE_JWT", trustedForApi: true };
  const jwtClient = await server.createClient(trustedJwt, projectId);
  const session = await estate.session(person);
  const opaque = await server.tokens({ client, session, scope: withRefresh });
  const jwt = await server.tokens({ client: jwtClient, session, scope });
  const pending = await server.signIn({ client, session });
  const waiting = await server.wait();
  await server.decide(waiting.user_code, session);
  const robot = await makeRobot(estate, organizationId, scope, until);
  const keyed = await makeKeyedClient(estate, projectId, until("the key of its application expires"));
  const { user: named } = await must("user.v2.UserService/GetUserByID", { userId });
  const owner = await ownerOf(server, { loginName: named.preferredLoginName, password: estate.password });
  const grantTypes = ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_TOKEN_EXCHANGE"];
  const exchanger = await server.createClient({ grantTypes, trustedForApi: true });
  const exchange = () => {
    const subject = { subject_token: opaque["access_token"] ?? "", subject_token_type: typeOf.access_token };
    return form("here", token, { grant_type: exchangeGrant, ...subject, scope }, exchanger.basic);
  };
  const exchanged: string = (await exchange()).body.access_token;

  /** All endpoints that verify an access token have to agree. */
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
  const configure = (oidcConfiguration: object) =>
    must("application.v2.ApplicationService/UpdateApplication", { ...application, oidcConfiguration });
  const users = "user.v2.UserService";
  return {
    good: {
      cookie: async () => (await owner.open("/ui/account")).address.startsWith("/ui/account"),
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
      exchanged: () => isToken(exchanged),
      subject: () => isDone(exchange()),
      "client by key": () => isDone(form("here", "/oauth/v2/introspect", { token: "x", ...keyed.proof() })),
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
      "its organization forbids passwords": () =>
        changeSettings(server, "login", { allowLocalAuthentication: false }, organizationId),
      "its organization demands two factors": () => changeSettings(server, "login", { forceMfa: true }, organizationId),
      "its application is deactivated": () =>
        must("application.v2.ApplicationService/DeactivateApplication", application),
      "its application is deleted": () => must("application.v2.ApplicationService/DeleteApplication", application),
      "its project is deactivated": () => must("project.v2.ProjectService/DeactivateProject", { projectId }),
      "its project is deleted": () => must("project.v2.ProjectService/DeleteProject", { projectId }),
      "its client secret is made anew": () =>
        must("application.v2.ApplicationService/GenerateClientSecret", application),
      "its application may renew no more": () => configure({ grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"] }),
      "its application has another address": () => configure({ redirectUris: ["https://other.example/callback"] }),
      "its application has to prove itself by a key": () =>
        configure({ authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" }),
      "its access token is revoked": () =>
        form("here", "/oauth/v2/revoke", { token: opaque["access_token"] ?? "" }, client.basic),
      "its refresh token is revoked": () =>
        form("here", "/oauth/v2/revoke", { token: opaque["refresh_token"] ?? "" }, client.basic),
      "its user takes back what the application may": () =>
        owner.send("/ui/account/applications", { client_id: client.clientId }),
      "the key of its application is removed": () =>
        must("application.v2.ApplicationService/DeleteApplicationKey", keyed.key),
      "the key of its application expires": async () => (server.clock.now += soon),
      "its personal access token expires": async () => (server.clock.now += soon),
      "its key expires": async () => (server.clock.now += soon),
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

/** An application that authenticates with a key. */
async function makeKeyedClient({ server, must }: Estate, projectId: string, expirationDate: string) {
  const authMethodType = "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT";
  const { applicationId, clientId: subject } = await server.createClient({ authMethodType }, projectId);
  const made = await must("application.v2.ApplicationService/CreateApplicationKey", {
    projectId,
    applicationId,
    expirationDate,
  });
  const { key, keyId } = JSON.parse(Buffer.from(made.keyDetails, "base64").toString("utf8"));
  return {
    key: { projectId, applicationId, keyId },
    proof: () => ({
      client_assertion: signAssertion(server, { key, keyId, subject }),
      client_assertion_type: assertionType,
    }),
  };
}

async function makeRobot(
  { server, must, form }: Estate,
  organizationId: string,
  scope: string,
  until: (end: string) => string,
) {
  const username = `robot-${randomBytes(4).toString("hex")}`;
  const { id: userId } = await must("user.v2.UserService/CreateUser", {
    organizationId,
    username,
    machine: { name: "Robot" },
  });
  const { token: pat, tokenId: patId } = await must(`/v2/users/${userId}/pats`, {
    expirationDate: until("its personal access token expires"),
  });
  const { clientSecret } = await must(`/v2/users/${userId}/secret`, {});
  const { keyContent } = await must(`/v2/users/${userId}/keys`, {
    expirationDate: until("its key expires"),
  });
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
