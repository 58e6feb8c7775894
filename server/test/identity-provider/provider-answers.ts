import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { TestContext } from "node:test";
import { createPublishedKeys } from "../../src/base/jose/index.ts";
import { createOutbound, type Outbound } from "../../src/base/outbound/index.ts";
import { Secret } from "../../src/base/secret.ts";
import { createDiscoveryCache } from "../../src/domain/identity-provider-client/discovery.ts";
import type { CodeFlowClient } from "../../src/domain/identity-provider-client/provider-client.ts";
import { ProviderRefused } from "../../src/domain/identity-provider-client/provider-refused.ts";
import { createSamlMetadataCache } from "../../src/domain/identity-provider-client/saml-metadata-cache.ts";
import { type Received, startReceiver } from "../support/http/receiver.ts";
import { goodJwt, type Json, testKeyPair } from "../support/oidc/signed-jose.ts";

const now = Date.UTC(2027, 0, 15, 12);
export const seconds = now / 1000;
export const pair = testKeyPair("RS256");
const redirectUri = "https://login.example.com/idps/callback";
export const verifier = "v".repeat(43);
export const nonce = "n-0S6_WzA2Mj";
export const accessToken = "ya29.access";
export const client = { clientId: "our-client", clientSecret: new Secret("our secret"), scopes: [] };

type Answer = Json | readonly Json[] | { readonly form: string; readonly type: string };
/** What stands at an address, which is without `https://`. */
export type Answers = Readonly<Record<string, (request: Received) => Answer>>;

/** Plays every provider at once: answers with what stands at the address, whatever its host. */
export async function startProviders(t: TestContext) {
  const receiver = await startReceiver(t);
  let answers: Answers = {};
  receiver.answer = (request, response) => {
    const [url = ""] = request.path.slice(1).split("?", 1);
    const answer = answers[url]?.(request);
    if (answer === undefined) return void response.writeHead(404).end("{}");
    if ("form" in answer && typeof answer.form === "string") {
      return void response.writeHead(200, { "content-type": String(answer.type) }).end(answer.form);
    }
    return void response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(json(answer));
  };
  const direct = createOutbound({ allow: ["127.0.0.0/8"] });
  // Whatever host is asked for, it is this machine that answers.
  const outbound: Outbound = (request) =>
    direct({ ...request, url: request.url.replace(/^https:\/\//, `${receiver.origin}/`) });
  const clock = () => now;
  return {
    receiver,
    outbound,
    answerWith: (given: Answers): void => {
      answers = given;
    },
    /** Caches that hold nothing yet. */
    fresh: () => ({
      outbound,
      ldap: { open: async () => assert.fail("none of them is a directory"), mayTry: () => false },
      publishedKeys: createPublishedKeys({ outbound, clock }),
      providerDiscovery: createDiscoveryCache({ outbound, clock }),
      samlMetadata: createSamlMetadataCache({ outbound, clock }),
      signClientAssertion: async () => assert.fail("all of them take a secret"),
    }),
  };
}

export const json = (value: unknown) => JSON.stringify(value);
export const keySet = {
  keys: [{ ...pair.publicKey.export({ format: "jwk" }), kid: "k1", use: "sig", x5c: ["MIIB"] }],
};
export const sign = (claims: Json) => goodJwt({ ...pair, header: { alg: "RS256", kid: "k1", typ: "JWT" }, claims });

export const begin = (provider: CodeFlowClient) =>
  provider.begin({
    instanceId: "1",
    now,
    redirectUri,
    state: "st",
    nonce,
    loginHint: "ada@x.example",
    codeChallenge: createHash("sha256").update(verifier).digest("base64url"),
  });

export const complete = (provider: CodeFlowClient) =>
  provider.complete({
    instanceId: "1",
    now,
    redirectUri,
    nonce,
    code: "4/0Ab",
    codeVerifier: verifier,
    issuer: undefined,
  });

export const isRefused = (reason: string, detail?: string) => (error: unknown) =>
  error instanceof ProviderRefused && error.reason === reason && error.detail === detail;

export const formOf = ({ body }: Received) => Object.fromEntries(new URLSearchParams(body));
