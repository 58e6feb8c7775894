import { randomBytes } from "node:crypto";
import { days, minutes, seconds } from "../../../src/base/clock.ts";
import { assertionRules } from "../../../src/oauth/client-authentication/assertion-rules.ts";
import { assertionType, createKeyedClient, signAssertion } from "../../support/oidc/assertions.ts";
import { fetchNonce, makeProof, makeProofKey } from "../../support/oidc/dpop.ts";
import type { TestClient } from "../../support/oidc/oidc.ts";
import { secondHost } from "../../support/people/system-user.ts";
import { type At, type Estate, endingsOf, wordsOf } from "./estate.ts";
import type { Kind, Subject } from "./one-time.ts";

const token = "/oauth/v2/token";
const applications = "application.v2.ApplicationService";

/** A user and a client in the same organization. */
async function makeParties(estate: Estate, subject: Subject | undefined) {
  if (subject !== undefined) return subject;
  const person = await estate.somebody("member");
  const { projectId } = await estate.must("project.v2.ProjectService/CreateProject", {
    organizationId: person.organizationId,
    name: "Shop",
  });
  const client = await estate.server.createClient({}, projectId);
  return { person, projectId, client };
}

type Parties = Pick<Subject, "person" | "projectId" | "client">;

const endingsOfClient = ({ must }: Estate, { projectId, client: { applicationId } }: Omit<Parties, "person">) => ({
  "its application is deactivated": () => must(`${applications}/DeactivateApplication`, { projectId, applicationId }),
  "its application is deleted": () => must(`${applications}/DeleteApplication`, { projectId, applicationId }),
  "its project is deactivated": () => must("project.v2.ProjectService/DeactivateProject", { projectId }),
  "its project is deleted": () => must("project.v2.ProjectService/DeleteProject", { projectId }),
});

const sessionEnding = ({ must }: Estate, { sessionId }: { readonly sessionId: string }) => ({
  "its session is ended": () => must(`/v2/sessions/${sessionId}`, {}, { method: "DELETE" }),
});

const redeem = async (
  { form }: Estate,
  at: At,
  { redirectUri, basic }: TestClient,
  parameters: Readonly<Record<string, string>>,
) => wordsOf(await form(at, token, { ...parameters, redirect_uri: redirectUri }, basic));

const authorizationCode: Kind = {
  name: "authorization code",
  covers: ["authorization_codes.code_hash"],
  refusals: ["invalid_grant"],
  userStates: ["member"],
  isSignIn: true,
  make: async (estate, subject) => {
    const parties = await makeParties(estate, subject);
    const { person, client } = parties;
    const user = { userId: person.userId, password: estate.password };
    const { code, codeVerifier, sessionId } = await estate.server.signIn({ client, user });
    const present = (by: TestClient, text: string, at: At = "here") =>
      redeem(estate, at, by, { grant_type: "authorization_code", code: text, code_verifier: codeVerifier });
    return {
      text: code,
      lifetime: seconds(60),
      present: (text, at) => present(client, text, at),
      presentAsOther: async (text) => present(await estate.server.createClient({}, parties.projectId), text),
      endings: {
        ...endingsOf(estate, person),
        ...endingsOfClient(estate, parties),
        ...sessionEnding(estate, { sessionId }),
      },
    };
  },
};

const refreshToken: Kind = {
  name: "refresh token",
  covers: ["refresh_tokens.token_hash"],
  refusals: ["invalid_grant"],
  userStates: ["member"],
  isSignIn: true,
  make: async (estate, subject) => {
    const parties = await makeParties(estate, subject);
    const { person, client } = parties;
    const session = await estate.session(person);
    const given = await estate.server.tokens({ client, session, scope: "openid offline_access" });
    const present = (by: TestClient, text: string, at: At = "here") =>
      redeem(estate, at, by, { grant_type: "refresh_token", refresh_token: text });
    return {
      text: given["refresh_token"] ?? "",
      lifetime: days(30),
      present: (text, at) => present(client, text, at),
      presentAsOther: async (text) => present(await estate.server.createClient({}, parties.projectId), text),
      endings: { ...endingsOf(estate, person), ...endingsOfClient(estate, parties), ...sessionEnding(estate, session) },
    };
  },
};

const pushedRequest: Kind = {
  name: "request_uri of a pushed request",
  covers: ["pushed_requests.reference_hash", "answered_references.reference_hash"],
  refusals: ["400"],
  userStates: ["member"],
  make: async (estate, subject) => {
    const parties = await makeParties(estate, subject);
    const { client } = parties;
    const { server } = estate;
    const request = { redirect_uri: client.redirectUri, response_type: "code", scope: "openid" };
    const { body } = await estate.form("here", "/oauth/v2/par", request, client.basic);
    const present = async ({ clientId }: TestClient, text: string, at: At = "here") => {
      const path = `/oauth/v2/authorize?${new URLSearchParams({ client_id: clientId, request_uri: text })}`;
      const options = { token: null };
      const { status, headers } =
        at === "here" ? await server.rest("GET", path, options) : await server.byHost(secondHost, "GET", path, options);
      const [, authRequest] = /^\/ui\/login\?authRequest=(\d+)$/.exec(headers.get("location") ?? "") ?? [];
      if (authRequest === undefined) return `${status}`;
      // The answer uses it up.
      const body = { error: { error: "ERROR_REASON_ACCESS_DENIED" } };
      const answer = await server.rest("POST", `/v2/oidc/auth_requests/${authRequest}`, {
        token: server.loginToken,
        body,
      });
      return answer.status === 200 ? "done" : `${answer.status}`;
    };
    return {
      text: body.request_uri,
      lifetime: seconds(body.expires_in),
      present: (text, at) => present(client, text, at),
      presentAsOther: async (text) => present(await server.createClient({}, parties.projectId), text),
      endings: endingsOfClient(estate, parties),
    };
  },
};

/** Starts waiting on a device in the hands of a user. */
async function waitForDevice(estate: Estate, subject: Subject | undefined) {
  const { server } = estate;
  const person = subject?.person ?? (await estate.somebody("member"));
  const session = await estate.session(person);
  return { person, session, waiting: await server.wait() };
}

const deviceCode: Kind = {
  name: "device code",
  covers: ["device_authorizations.device_code_hash"],
  refusals: ["invalid_grant", "expired_token", "invalid_client"],
  userStates: ["member"],
  isSignIn: true,
  make: async (estate, subject) => {
    const { server, form } = estate;
    const { person, session, waiting } = await waitForDevice(estate, subject);
    await server.decide(waiting.user_code, session);
    const grant = { grant_type: "urn:ietf:params:oauth:grant-type:device_code" };
    const present = async (clientId: string, text: string, at: At = "here") =>
      wordsOf(await form(at, token, { ...grant, device_code: text, client_id: clientId }));
    return {
      text: waiting.device_code,
      lifetime: seconds(waiting.expires_in),
      present: (text, at) => present(server.device.clientId, text, at),
      presentAsOther: async (text) => {
        const grantTypes = ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_DEVICE_CODE"];
        const other = await server.createClient({ authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE", grantTypes });
        return present(other.clientId, text);
      },
      endings: { ...endingsOf(estate, person), ...sessionEnding(estate, session) },
    };
  },
};

const userCode: Kind = {
  name: "user code of a device",
  covers: ["device_authorizations.user_code_hash"],
  refusals: ["device_authorization.not_found", "device_authorization.decided_already", "field.length"],
  isForgiving: true,
  userStates: ["member"],
  isSignIn: true,
  make: async (estate, subject) => {
    const { person, session, waiting } = await waitForDevice(estate, subject);
    return {
      text: waiting.user_code,
      lifetime: seconds(waiting.expires_in),
      present: async (text, at = "here") => {
        const options = at === "here" ? { token: estate.server.loginToken } : {};
        const found = await estate.ask(at, `/v2/oidc/device_authorization/${encodeURIComponent(text)}`, {
          ...options,
          method: "GET",
        });
        if (found.status !== 200) return wordsOf(found);
        const { id } = found.body.deviceAuthorizationRequest;
        return wordsOf(await estate.ask(at, `/v2/oidc/device_authorization/${id}`, { ...options, body: { session } }));
      },
      endings: { ...endingsOf(estate, person), ...sessionEnding(estate, session) },
    };
  },
};

// A minute (`signAssertion`), plus the allowed clock skew.
const lifetimeOfAssertion = minutes(1) + seconds(assertionRules.clockSkewSeconds);

const clientAssertion: Kind = {
  name: "assertion of a client",
  covers: ["used_assertions.assertion_hash"],
  refusals: ["invalid_client"],
  hasNoLetters: true,
  make: async (estate) => {
    const { client, proof } = await createKeyedClient(estate.server);
    const { client_assertion: text = "" } = proof();
    return {
      text,
      lifetime: lifetimeOfAssertion,
      present: async (given, at = "here") => {
        const form = { token: "x", client_assertion: given, client_assertion_type: assertionType };
        return wordsOf(await estate.form(at, "/oauth/v2/introspect", form));
      },
      endings: {
        "its application is deactivated": endingsOfClient(estate, { projectId: estate.server.projectId, client })[
          "its application is deactivated"
        ],
      },
    };
  },
};

const grantAssertion: Kind = {
  name: "assertion of a service account",
  covers: ["used_assertions.assertion_hash"],
  refusals: ["invalid_grant"],
  hasNoLetters: true,
  make: async (estate) => {
    const { organizationId } = await estate.somebody("face");
    const { id: userId } = await estate.must("user.v2.UserService/CreateUser", {
      organizationId,
      username: `robot-${randomBytes(4).toString("hex")}`,
      machine: { name: "Robot" },
    });
    const { keyContent } = await estate.must(`/v2/users/${userId}/keys`, { expirationDate: "2100-01-01T00:00:00Z" });
    const key = JSON.parse(Buffer.from(keyContent, "base64").toString("utf8"));
    return {
      text: signAssertion(estate.server, { ...key, subject: userId }),
      lifetime: lifetimeOfAssertion,
      present: async (assertion, at = "here") => {
        const grant = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", scope: "openid" };
        return wordsOf(await estate.form(at, token, { ...grant, assertion }));
      },
      endings: {
        ...endingsOf(estate, { userId, organizationId, email: "" }),
        "its key is removed": () => estate.must(`/v2/users/${userId}/keys/${key.keyId}`, {}, { method: "DELETE" }),
      },
    };
  },
};

const keyProof: Kind = {
  name: "proof of a key (DPoP)",
  covers: ["used_assertions.assertion_hash"],
  refusals: ["invalid_dpop_proof", "use_dpop_nonce"],
  hasNoLetters: true,
  hasVagueEnd: true,
  make: async (estate) => {
    const { server } = estate;
    const key = await makeProofKey();
    const text = await makeProof(server, key, { path: token, nonce: await fetchNonce(server, key) });
    return {
      text,
      lifetime: minutes(10),
      // The proof was accepted when the request gets to the next error.
      present: async (dpop, at = "here") => {
        const form = { grant_type: "refresh_token", refresh_token: "x" };
        const words = wordsOf(
          await estate.form(at, token, form, { ...(at === "here" ? server.client.basic : {}), dpop }),
        );
        return words === "invalid_grant" ? "done" : words;
      },
      endings: {},
    };
  },
};

/** What the protocols accept once. */
export const kindsOfOAuth: readonly Kind[] = [
  authorizationCode,
  refreshToken,
  pushedRequest,
  deviceCode,
  userCode,
  clientAssertion,
  grantAssertion,
  keyProof,
];
