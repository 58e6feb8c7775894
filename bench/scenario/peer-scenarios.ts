import { type RequestParts, writeRequest } from "../load/request.ts";
import { has, isOk, once, type Preparation, ring, same, type Work } from "../load/work.ts";
import type { PeerSeed } from "../peer/seed.ts";
import { memberOf, redeem, rotate } from "./code-exchange.ts";
import type { Scenario, ScenarioName, Target } from "./scenario.ts";

type PeerTarget = Extract<Target, { kind: "peer" }>;
type Prepare = (seed: PeerSeed, write: (parts: RequestParts) => string, preparation: Preparation) => Promise<Work>;
type Write = (parts: RequestParts) => string;

const scenario =
  (prepare: Prepare) =>
  ({ seed, host }: PeerTarget): Scenario => ({
    prepare: (preparation) => prepare(seed, (parts) => writeRequest(host, parts), preparation),
  });

const always = (parts: (seed: PeerSeed) => RequestParts, isGood: Work["isGood"] = isOk) =>
  scenario(async (seed, write) => same(write(parts(seed)), isGood));

const codeExchange = scenario(async (seed, write, preparation) => {
  const codes = await newCodes(seed, write, preparation, {
    count: preparation.operations,
    scope: "openid profile email",
  });
  return once(
    codes.map((code) => write(redeem("/token", seed.client, code))),
    has('"id_token":"ey'),
  );
});

const refresh = scenario(async (seed, write, preparation) => {
  const first = await userTokens(seed, write, preparation, preparation.connections);
  return {
    next: (connection, last) => {
      const token = last === undefined ? (first[connection]?.refreshToken ?? "") : memberOf(last.body, "refresh_token");
      return write(rotate("/token", seed.client, token));
    },
    isGood: has('"refresh_token"'),
  };
});

/** The same with a client that gets id tokens signed by ES256. */
const withEs256 =
  (make: (target: PeerTarget) => Scenario) =>
  (target: PeerTarget): Scenario =>
    make({ ...target, seed: { ...target.seed, client: target.seed.es256Client } });

/** What oidc-provider can do as well. It has no service accounts with keys, no session API, and no passwords. */
export const peerScenarios: Readonly<Partial<Record<ScenarioName, (target: PeerTarget) => Scenario>>> = {
  client_credentials: always(({ machine }) => clientCredentials(machine.basic), has('"access_token"')),
  client_credentials_jwt: always(
    ({ machine }) => clientCredentials(machine.basic, { resource: "urn:bench:jwt" }),
    has('"access_token":"ey'),
  ),
  introspect: scenario(async (seed, write, preparation) => {
    const tokens = await userTokens(seed, write, preparation, 32);
    return ring(
      tokens.map(({ accessToken }) =>
        write({
          method: "POST",
          path: "/token/introspection",
          authorization: seed.api.basic,
          form: { token: accessToken },
        }),
      ),
      has('"active":true'),
    );
  }),
  user_info: scenario(async (seed, write, preparation) => {
    const tokens = await userTokens(seed, write, preparation, 32);
    return ring(
      tokens.map(({ accessToken }) => write({ method: "GET", path: "/me", authorization: `Bearer ${accessToken}` })),
      has('"email":'),
    );
  }),
  code_exchange: codeExchange,
  code_exchange_es256: withEs256(codeExchange),
  refresh,
  refresh_es256: withEs256(refresh),
  discovery: always(() => ({ method: "GET", path: "/.well-known/openid-configuration" }), has('"issuer"')),
  key_set: always(() => ({ method: "GET", path: "/jwks" }), has('"keys"')),
};

const clientCredentials = (authorization: string, more: Record<string, string> = {}): RequestParts => ({
  method: "POST",
  path: "/token",
  authorization,
  form: { grant_type: "client_credentials", scope: "api", ...more },
});

interface PreparedCode {
  readonly code: string;
  readonly codeVerifier: string;
}

/** Returns codes as the peer's own login would make them: its server of the bench has a route for it. */
async function newCodes(
  { client }: PeerSeed,
  write: Write,
  { send }: Preparation,
  { count, scope }: { readonly count: number; readonly scope: string },
): Promise<PreparedCode[]> {
  const json = { count, scope, clientId: client.clientId };
  const { body } = await send(write({ method: "POST", path: "/bench/codes", json }));
  return JSON.parse(body) as PreparedCode[];
}

async function userTokens(seed: PeerSeed, write: Write, preparation: Preparation, count: number) {
  const codes = await newCodes(seed, write, preparation, {
    count,
    scope: "openid profile email offline_access",
  });
  return Promise.all(
    codes.map(async (code) => {
      const { body } = await preparation.send(write(redeem("/token", seed.client, code)));
      return { accessToken: memberOf(body, "access_token"), refreshToken: memberOf(body, "refresh_token") };
    }),
  );
}
