import { createPrivateKey } from "node:crypto";
import { has, once, ring, type Work } from "../load/work.ts";
import type { ProductSeed } from "../product/seed.ts";
import { type Challenge, memberOf, newChallenge, redeem, rotate } from "./code-exchange.ts";
import { furtherScenarios } from "./further-scenarios.ts";
import { always, type ProductTarget, scenario } from "./make-scenario.ts";
import { passwordForm } from "./password-form.ts";
import {
  assertion,
  authorize,
  callback,
  clientCredentials,
  codeOf,
  endpoints,
  introspect,
  jwtProfile,
  newCode,
  rest,
  userScope,
  userTokens,
  type Write,
} from "./product-requests.ts";
import type { Scenario, ScenarioName } from "./scenario.ts";

const codeExchange = scenario(async (seed, write, preparation) => {
  const codes = await preparation.many(preparation.operations, () => newCode(seed, write, preparation, userScope));
  return once(
    codes.map((code) => write(redeem(endpoints.token, seed.client, code))),
    has('"id_token":"ey'),
  );
});

const refresh = scenario(async (seed, write, preparation) => {
  const first = await userTokens(seed, write, preparation, preparation.connections);
  return {
    next: (connection, last) => {
      const token = last === undefined ? (first[connection]?.refreshToken ?? "") : memberOf(last.body, "refresh_token");
      return write(rotate(endpoints.token, seed.client, token));
    },
    isGood: has("dwr_"),
  };
});

/** The same with a client that gets id tokens signed by ES256. */
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
        write({ method: "GET", path: endpoints.userinfo, authorization: `Bearer ${accessToken}` }),
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
  password_login: scenario(async ({ ownerToken, people }, write) => {
    const checks = people.map(({ loginName, password }) => ({ user: { loginName }, password: { password } }));
    return ring(
      checks.map((each) => write(rest("/v2/sessions", ownerToken, { checks: each }))),
      has("dws_"),
    );
  }),
  password_form: scenario(passwordForm),
  discovery: always(() => ({ method: "GET", path: "/.well-known/openid-configuration" }), has('"issuer"')),
  key_set: always(() => ({ method: "GET", path: "/oauth/v2/keys" }), has('"keys"')),
  rest_list: always(({ ownerToken }) => rest("/v2/users", ownerToken, { query: { limit: 20 } }), has('"totalResult"')),
  ...furtherScenarios,
  connect_get: always(
    ({ ownerToken, user }) => rest("/service.user.v2.UserService/GetUserByID", ownerToken, { userId: user.userId }),
    has('"human"'),
  ),
};

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
      return write(redeem(endpoints.token, seed.client, { code: codeOf(last.body), codeVerifier }));
    },
  };
}
