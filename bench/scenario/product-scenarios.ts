import { createPrivateKey, randomBytes, sign } from "node:crypto";
import { type RequestParts, writeRequest } from "../load/request.ts";
import { has, isOk, once, type Preparation, ring, same, type Work } from "../load/work.ts";
import type { ProductSeed } from "../product/seed.ts";
import { type Challenge, memberOf, newChallenge, redeem, rotate } from "./code-exchange.ts";
import type { Scenario, ScenarioName, Target } from "./scenario.ts";

type ProductTarget = Extract<Target, { kind: "product" }>;
type Prepare = (seed: ProductSeed, write: (parts: RequestParts) => string, preparation: Preparation) => Promise<Work>;

const tokenPath = "/oauth/v2/token";
const userScope = "openid profile email";

const scenario =
  (prepare: Prepare) =>
  ({ seed, host }: ProductTarget): Scenario => ({
    prepare: (preparation) => prepare(seed, (parts) => writeRequest(host, parts), preparation),
  });

const always = (parts: (seed: ProductSeed) => RequestParts, isGood: Work["isGood"] = isOk) =>
  scenario(async (seed, write) => same(write(parts(seed)), isGood));

const codeExchange = scenario(async (seed, write, preparation) => {
  const codes = await preparation.many(preparation.operations, () => newCode(seed, write, preparation, userScope));
  return once(
    codes.map((code) => write(redeem(tokenPath, seed.client, code))),
    has('"id_token":"ey'),
  );
});

const refresh = scenario(async (seed, write, preparation) => {
  const first = await userTokens(seed, write, preparation, preparation.connections);
  return {
    next: (connection, last) => {
      const token = last === undefined ? (first[connection]?.refreshToken ?? "") : memberOf(last.body, "refresh_token");
      return write(rotate(tokenPath, seed.client, token));
    },
    isGood: has("dwr_"),
  };
});

/** The same with a client whose id tokens are signed by ES256. */
const withEs256 =
  (make: (target: ProductTarget) => Scenario) =>
  (target: ProductTarget): Scenario =>
    make({ ...target, seed: { ...target.seed, client: target.seed.es256Client } });

export const productScenarios: Readonly<Record<ScenarioName, (target: ProductTarget) => Scenario>> = {
  client_credentials: always(({ machine }) => clientCredentials(machine.basic), has("dwa_")),
  client_credentials_jwt: always(({ jwtMachine }) => clientCredentials(jwtMachine.basic), has('"access_token":"ey')),
  jwt_profile: scenario(async (seed, write, { operations }) => {
    const key = createPrivateKey(seed.machine.privateKey);
    const send = (): string => write(jwtProfile(assertion(seed, key)));
    return once(Array.from({ length: operations }, send), has("dwa_"));
  }),
  introspect: scenario(async (seed, write, preparation) => {
    const tokens = await userTokens(seed, write, preparation, 32);
    return ring(
      tokens.map(({ accessToken }) => write(introspect(seed, accessToken))),
      has('"active":true'),
    );
  }),
  introspect_jwt: scenario(async (seed, write, { send, many }) => {
    // A token for the project of the application that asks.
    const scope = `openid urn:service:iam:org:project:id:${seed.projectId}:aud`;
    const answers = await many(32, () => send(write(clientCredentials(seed.jwtMachine.basic, scope))));
    const tokens = answers.map(({ body }) => memberOf(body, "access_token"));
    return ring(
      tokens.map((token) => write(introspect(seed, token))),
      has('"active":true'),
    );
  }),
  user_info: scenario(async (seed, write, preparation) => {
    const tokens = await userTokens(seed, write, preparation, 32);
    return ring(
      tokens.map(({ accessToken }) =>
        write({ method: "GET", path: "/oidc/v1/userinfo", authorization: `Bearer ${accessToken}` }),
      ),
      has('"email":'),
    );
  }),
  code_exchange: codeExchange,
  code_exchange_es256: withEs256(codeExchange),
  code_flow: scenario(async (seed, write) => codeFlow(seed, write)),
  refresh,
  refresh_es256: withEs256(refresh),
  add_session: always(
    ({ ownerToken, user }) => rest("/v2/sessions", ownerToken, { checks: { user: { userId: user.userId } } }),
    has("dws_"),
  ),
  password_login: always(
    ({ ownerToken, user }) =>
      rest("/v2/sessions", ownerToken, {
        checks: { user: { loginName: user.loginName }, password: { password: user.password } },
      }),
    has("dws_"),
  ),
  discovery: always(() => ({ method: "GET", path: "/.well-known/openid-configuration" }), has('"issuer"')),
  key_set: always(() => ({ method: "GET", path: "/oauth/v2/keys" }), has('"keys"')),
  rest_list: always(({ ownerToken }) => rest("/v2/users", ownerToken, { query: { limit: 20 } }), has('"totalResult"')),
  connect_get: always(
    ({ ownerToken, user }) => rest("/service.user.v2.UserService/GetUserByID", ownerToken, { userId: user.userId }),
    has('"human"'),
  ),
};

const rest = (path: string, token: string, json: object): RequestParts => ({
  method: "POST",
  path,
  authorization: `Bearer ${token}`,
  json,
});

const ownApis = "openid urn:service:iam:org:project:id:service:aud";

const clientCredentials = (authorization: string, scope = ownApis): RequestParts => ({
  method: "POST",
  path: tokenPath,
  authorization,
  form: { grant_type: "client_credentials", scope },
});

const jwtProfile = (token: string): RequestParts => ({
  method: "POST",
  path: tokenPath,
  form: { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: token, scope: "profile" },
});

const introspect = ({ api }: ProductSeed, token: string): RequestParts => ({
  method: "POST",
  path: "/oauth/v2/introspect",
  authorization: api.basic,
  form: { token },
});

function assertion({ machine, origin }: ProductSeed, key: ReturnType<typeof createPrivateKey>): string {
  const now = Math.floor(Date.now() / 1000);
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const header = encode({ alg: "RS256", kid: machine.keyId });
  const jti = randomBytes(16).toString("base64url");
  const payload = encode({ iss: machine.userId, sub: machine.userId, aud: origin, iat: now, exp: now + 600, jti });
  return `${header}.${payload}.${sign("sha256", Buffer.from(`${header}.${payload}`), key).toString("base64url")}`;
}

function authorize({ client }: ProductSeed, scope: string, { codeChallenge }: Challenge): RequestParts {
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: "code",
    scope,
    code_challenge: codeChallenge,
    code_challenge_method: "S256",
  });
  return { method: "GET", path: `/oauth/v2/authorize?${query}` };
}

const callback = ({ loginToken, session }: ProductSeed, head: string): RequestParts =>
  rest(`/v2/oidc/auth_requests/${/authRequest=([^&\s]+)/.exec(head)?.[1]}`, loginToken, { session });

const codeOf = (body: string): string => new URL(memberOf(body, "callbackUrl")).searchParams.get("code") ?? "no code";

type Write = (parts: RequestParts) => string;

async function newCode(seed: ProductSeed, write: Write, { send }: Preparation, scope: string) {
  const challenge = newChallenge();
  const redirected = await send(write(authorize(seed, scope, challenge)));
  const answered = await send(write(callback(seed, redirected.head)));
  return { code: codeOf(answered.body), codeVerifier: challenge.codeVerifier };
}

function userTokens(seed: ProductSeed, write: Write, preparation: Preparation, count: number) {
  return preparation.many(count, async () => {
    const code = await newCode(seed, write, preparation, `${userScope} offline_access`);
    const { body } = await preparation.send(write(redeem(tokenPath, seed.client, code)));
    return { accessToken: memberOf(body, "access_token"), refreshToken: memberOf(body, "refresh_token") };
  });
}

/** Authorization request, callback of a session that is signed in, token: three requests that make one operation. */
function codeFlow(seed: ProductSeed, write: Write): Work {
  const steps = new Map<number, { readonly step: "callback" | "token"; readonly challenge: Challenge }>();
  return {
    requestsPerOperation: 3,
    isGood: ({ status }) => status < 400,
    next: (connection, last) => {
      const current = steps.get(connection);
      if (current === undefined || last === undefined) {
        const challenge = newChallenge();
        steps.set(connection, { step: "callback", challenge });
        return write(authorize(seed, userScope, challenge));
      }
      if (current.step === "callback") {
        steps.set(connection, { ...current, step: "token" });
        return write(callback(seed, last.head));
      }
      steps.delete(connection);
      const { codeVerifier } = current.challenge;
      return write(redeem(tokenPath, seed.client, { code: codeOf(last.body), codeVerifier }));
    },
  };
}
