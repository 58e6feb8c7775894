import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { Answer } from "../load/connection.ts";
import type { RequestParts } from "../load/request.ts";
import { has, once, type Preparation, ring } from "../load/work.ts";
import type { ProductSeed } from "../product/seed.ts";
import { type CodeClient, memberOf, newChallenge, redeem } from "./code-exchange.ts";
import { always, scenario } from "./make-scenario.ts";
import {
  clientCredentials,
  endpoints,
  newCode,
  pushedRequest,
  rest,
  userScope,
  userTokens,
  type Write,
} from "./product-requests.ts";

/** Grants and protections beyond the foundation: what oidc-provider is not measured with. */
export const furtherScenarios = {
  token_exchange: scenario(async (seed, write, preparation) => {
    const tokens = await userTokens(seed, write, preparation, 32);
    return ring(
      tokens.map(({ accessToken }) => write(exchange(seed, accessToken))),
      has("dwa_"),
    );
  }),
  device_authorization: scenario(async ({ client }, write) => {
    const next = (): string => write(deviceAuthorization(client));
    return { next, isGood: has('"user_code"') };
  }),
  device_poll: scenario(async (seed, write, preparation) => {
    const devices = await preparation.many(32, () => startDevice(seed, write, preparation));
    return ring(
      devices.map(({ deviceCode }) => write(poll(seed, deviceCode))),
      // Asked as fast as this, waiting devices are told to slow down.
      ({ status, body }) => status === 400 && (body.includes("slow_down") || body.includes("authorization_pending")),
    );
  }),
  device_code: scenario(async (seed, write, preparation) => {
    const codes = await preparation.many(preparation.operations, () => admitDevice(seed, write, preparation));
    return once(
      codes.map((code) => write(poll(seed, code))),
      has('"id_token":"ey'),
    );
  }),
  pushed_request: always((seed) => pushedRequest(seed, userScope, newChallenge()), has('"request_uri"')),
  client_credentials_dpop: scenario(async (seed, write, preparation) => {
    const prove = await createProver(seed, write, preparation);
    const send = (): string =>
      write({ ...clientCredentials(seed.machine.basic), dpop: prove("POST", endpoints.token) });
    return once(Array.from({ length: preparation.operations }, send), has('"token_type":"DPoP"'));
  }),
  user_info_dpop: scenario(async (seed, write, preparation) => {
    const prove = await createProver(seed, write, preparation);
    const tokens = await preparation.many(32, async () => {
      const code = await newCode(seed, write, preparation, userScope);
      const parts = redeem(endpoints.token, seed.client, code);
      const { body } = await preparation.send(write({ ...parts, dpop: prove("POST", endpoints.token) }));
      return memberOf(body, "access_token");
    });
    const send = (_each: unknown, index: number): string => {
      const token = tokens[index % tokens.length] ?? "";
      const dpop = prove("GET", endpoints.userinfo, token);
      return write({ method: "GET", path: endpoints.userinfo, authorization: `DPoP ${token}`, dpop });
    };
    return once(Array.from({ length: preparation.operations }, send), has('"email":'));
  }),
};

const exchange = ({ client }: ProductSeed, subjectToken: string): RequestParts => ({
  method: "POST",
  path: endpoints.token,
  authorization: client.basic,
  form: {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: subjectToken,
    subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
    requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
    scope: "openid profile",
  },
});

const poll = ({ client }: ProductSeed, deviceCode: string): RequestParts => ({
  method: "POST",
  path: endpoints.token,
  authorization: client.basic,
  form: { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: deviceCode },
});

/** Each from somewhere else, because one address may only have so many devices that wait. */
const deviceAuthorization = ({ basic }: CodeClient): RequestParts => ({
  method: "POST",
  path: endpoints.deviceAuthorization,
  authorization: basic,
  from: `10.${[...randomBytes(3)].join(".")}`,
  form: { scope: userScope },
});

async function startDevice({ client }: ProductSeed, write: Write, { send }: Preparation) {
  const { body } = await send(write(deviceAuthorization(client)));
  return { deviceCode: memberOf(body, "device_code"), userCode: memberOf(body, "user_code") };
}

/** The code of a device that a signed-in user has let in. */
async function admitDevice(seed: ProductSeed, write: Write, preparation: Preparation): Promise<string> {
  const { loginToken, session } = seed;
  const { deviceCode, userCode } = await startDevice(seed, write, preparation);
  const path = "/v2/oidc/device_authorization";
  const found = await preparation.send(
    write({ method: "GET", path: `${path}/${userCode}`, authorization: `Bearer ${loginToken}` }),
  );
  await preparation.send(write(rest(`${path}/${idOfDevice(found)}`, loginToken, { session })));
  return deviceCode;
}

function idOfDevice({ body }: Answer): string {
  const { deviceAuthorizationRequest } = JSON.parse(body) as { deviceAuthorizationRequest: { id: string } };
  return deviceAuthorizationRequest.id;
}

type Prove = (method: "GET" | "POST", path: string, accessToken?: string) => string;

/**
 * Makes proofs of one key (RFC 9449 §4.2), each with its own id and with the nonce that the server wants at the moment.
 */
async function createProver({ origin, machine }: ProductSeed, write: Write, { send }: Preparation): Promise<Prove> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { kty, crv, x, y } = publicKey.export({ format: "jwk" });
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const header = encode({ alg: "ES256", typ: "dpop+jwt", jwk: { kty, crv, x, y } });
  const proverWith =
    (nonce: string | undefined): Prove =>
    (method, path, accessToken) => {
      const ath = accessToken && createHash("sha256").update(accessToken).digest("base64url");
      const jti = randomBytes(16).toString("base64url");
      const claims = { htm: method, htu: origin + path, iat: Math.floor(Date.now() / 1000), jti, ath, nonce };
      const signed = `${header}.${encode(claims)}`;
      const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
      return `${signed}.${signature.toString("base64url")}`;
    };
  const first = { ...clientCredentials(machine.basic), dpop: proverWith(undefined)("POST", endpoints.token) };
  const { head } = await send(write(first), ({ body }) => body.includes("use_dpop_nonce"));
  return proverWith(/\r\ndpop-nonce: (\S+)/i.exec(head)?.[1]);
}
