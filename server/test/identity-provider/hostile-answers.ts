import { createHmac, type KeyObject } from "node:crypto";
import type { ServerResponse } from "node:http";
import { leftHalfHash } from "../../src/base/jose/index.ts";
import { publishedKey, type TestProvider } from "../support/identity-provider/test-provider.ts";
import { type Json, json, segment, signRaw, testKeyPair } from "../support/oidc/signed-jose.ts";

/** A wrong answer of a provider, or of an attacker in between; everything else about it is right. */
export interface HostileAnswer {
  readonly name: string;
  readonly change: (provider: TestProvider) => void;
  /** The parameters that the browser comes back with, changed. */
  readonly bring?: (back: URL, provider: TestProvider) => void;
  /** `reason detail`, as the event gives the cause. */
  readonly why: string;
  /** The message on the page. */
  readonly title: "failed" | "does not answer" | "cancelled";
}

const attackerKeys = testKeyPair("RS256");
const attackerEc = testKeyPair("ES256");

const set = (provider: TestProvider, changed: Partial<TestProvider>): void => void Object.assign(provider, changed);

const id = (name: string, why: string, claims: Json, user?: Json): HostileAnswer => ({
  name: `id token: ${name}`,
  why,
  title: "failed",
  change: (provider) => {
    provider.claims = claims;
    if (user !== undefined) provider.user = { ...provider.user, ...user };
  },
});

/** Claims, correctly signed. `now` in seconds. */
export const hostileClaimsOf = (now: number): readonly HostileAnswer[] => [
  id("another issuer", "token_refused issuer", { iss: "https://attacker.example" }),
  id("an issuer with a slash more", "token_refused issuer", { iss: "http://localhost/" }),
  id("issuer in a list", "token_refused issuer", { iss: ["https://attacker.example"] }),
  id("no issuer", "token_refused issuer", { iss: undefined }),
  id("another audience (CVE-2026-55669)", "token_refused audience", { aud: "somebody" }),
  id("no audience (CVE-2026-55669)", "token_refused audience", { aud: undefined }),
  id("an empty list as audience", "token_refused audience", { aud: [] }),
  id("several audiences without a party", "token_refused audience", { aud: ["doorward", "somebody"] }),
  id("several audiences, made for another", "token_refused audience", { aud: ["doorward", "x"], azp: "x" }),
  id("made for another party", "token_refused audience", { azp: "somebody" }),
  id("party in a list", "token_refused audience", { azp: ["doorward"] }),
  id("another nonce", "token_refused nonce", { nonce: "x" }),
  id("no nonce", "token_refused nonce", { nonce: undefined }),
  id("nonce in a list", "token_refused nonce", { nonce: ["x"] }),
  id("expired", "token_refused expired", { exp: now - 61 }),
  id("no expiry (CVE-2026-56665)", "token_refused expiry_missing", { exp: undefined }),
  id("expiry as text (CVE-2026-56665)", "token_refused payload_malformed", { exp: `${now + 300}` }),
  id("expiry beyond dates (CVE-2026-56665)", "token_refused payload_malformed", { exp: 1e300 }),
  id("not yet valid", "token_refused not_yet_valid", { nbf: now + 100 }),
  id("no time of issue (CVE-2026-56664)", "token_refused issued_at_missing", { iat: undefined }),
  id("issued long ago (CVE-2026-56664)", "token_refused too_old", { iat: now - 700 }),
  id("issued in the future (CVE-2026-56664)", "token_refused issued_in_future", { iat: now + 100 }),
  id("at_hash of another access token", "token_refused at_hash", { at_hash: leftHalfHash("another", "RS256") }),
  id("at_hash by another algorithm", "token_refused at_hash", { at_hash: leftHalfHash("provider-access", "RS384") }),
  id("at_hash in a list", "token_refused at_hash", { at_hash: [leftHalfHash("provider-access", "RS256")] }),
  ...[undefined, null, "", 1, true, "x".repeat(201), "p\r\n1", "p\u00001", "\ud800"].map((sub) =>
    id(`subject ${json(sub)?.slice(0, 20) ?? "absent"}`, "subject_missing", { sub }, { sub }),
  ),
  id("userinfo is of somebody else", "subject_mismatch", { sub: "p-1" }, { sub: "victim" }),
  ...[["p-1"], { sub: "p-1" }].map((sub) => id(`subject ${json(sub)}`, "subject_mismatch", { sub }, { sub })),
  id("userinfo is of nobody", "subject_mismatch", { sub: "p-1" }, { sub: undefined }),
  id("userinfo's subject is a number", "subject_mismatch", { sub: "1" }, { sub: 1 }),
];

const token = (
  name: string,
  why: string,
  makeIdToken: (claims: Json, provider: TestProvider) => string,
  more: (provider: TestProvider) => void = () => {},
): HostileAnswer => ({
  name: `signature: ${name}`,
  why: `token_refused ${why}`,
  title: "failed",
  change: (provider) => {
    provider.makeIdToken = (claims) => makeIdToken(claims, provider);
    more(provider);
  },
});

const unsigned = (header: Json, claims: Json) => `${segment(json(header))}.${segment(json(claims))}.`;

function macOf(secret: string, claims: Json): string {
  const input = `${segment(json({ alg: "HS256", kid: "test" }))}.${segment(json(claims))}`;
  return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
}

const signedBy =
  (privateKey: KeyObject, header: Json = { alg: "RS256", kid: "test" }) =>
  (claims: Json, { key }: TestProvider): string =>
    signRaw(key, json(header), json(claims), privateKey);

/** Signatures and keys. test/hostile/jose.test.ts tests the same verifier by a provider of signed JWTs. */
export const hostileSignatures: readonly HostileAnswer[] = [
  token("none", "not_compact", (claims) => unsigned({ alg: "none", kid: "test" }, claims)),
  token("HS256 with the public key", "algorithm", (claims, { key }) =>
    macOf(key.publicKey.export({ type: "spki", format: "pem" }).toString(), claims),
  ),
  token("HS256 with the client secret", "algorithm", (claims, { clientSecret }) => macOf(clientSecret, claims)),
  token("another algorithm than the key's", "algorithm", (claims, { sign }) => sign(claims, { alg: "ES256" })),
  token("a key that nobody published", "key_unknown", (claims, { sign }) => sign(claims, { kid: "another" })),
  token("somebody else's key by the same name", "signature", signedBy(attackerKeys.privateKey)),
  token("a key that the token brings along", "header_forbidden", (claims, provider) => {
    const jwk = attackerKeys.publicKey.export({ format: "jwk" });
    return signedBy(attackerKeys.privateKey, { alg: "RS256", kid: "test", jwk })(claims, provider);
  }),
  token(
    "no key named, of two",
    "key_unknown",
    (claims, { sign }) => sign(claims, { kid: undefined }),
    (provider) => {
      const other = { ...attackerEc.publicKey.export({ format: "jwk" }), kid: "other", use: "sig" };
      provider.keys = [publishedKey, other];
    },
  ),
  token(
    "a key for encryption",
    "key_unknown",
    (claims, { sign }) => sign(claims),
    (provider) => {
      provider.keys = [{ ...publishedKey, use: "enc" }];
    },
  ),
  token(
    "a key for wrapping",
    "key_unknown",
    (claims, { sign }) => sign(claims),
    (provider) => {
      provider.keys = [{ ...publishedKey, use: undefined, key_ops: ["wrapKey"] }];
    },
  ),
  token(
    "a shared secret in the key set",
    "key_unknown",
    (claims) => macOf("published", claims),
    (provider) => {
      provider.keys = [{ kty: "oct", kid: "test", k: segment("published") }];
    },
  ),
  token(
    "two keys by one name",
    "key_unknown",
    (claims, { sign }) => sign(claims),
    (provider) => {
      provider.keys = [publishedKey, { ...attackerKeys.publicKey.export({ format: "jwk" }), kid: "test", use: "sig" }];
    },
  ),
  token("another kind of token", "type", (claims, { sign }) => sign(claims, { typ: "at+jwt" })),
  token("critical header", "header_forbidden", (claims, { sign }) => sign(claims, { crit: ["exp"] })),
  token("three words", "not_canonical", () => "x.y.z"),
  token("encrypted", "not_compact", (claims, { sign }) => `${sign(claims)}.x.y`),
];

type Raw = (response: ServerResponse) => void;

const raw = (path: string, name: string, why: string, answer: Raw): HostileAnswer => ({
  name: `${path}: ${name}`,
  why,
  title: why.startsWith("unreachable") ? "does not answer" : "failed",
  change: ({ answers }) => void answers.set(path, answer),
});

const typed =
  (body: string, status = 200, type = "application/json"): Raw =>
  (response) =>
    void response.writeHead(status, { "content-type": type }).end(body);
const redirecting: Raw = (response) =>
  void response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end();
/** Writes until the reader is gone. */
const endless: Raw = (response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const more = (): void => {
    while (!response.destroyed && response.write(" ".repeat(65_536)));
  };
  response.on("drain", more);
  more();
};
const cut: Raw = (response) => {
  response.writeHead(200, { "content-length": "1000" }).write("{");
  setImmediate(() => response.destroy());
};
const packed: Raw = (response) => void response.writeHead(200, { "content-encoding": "gzip" }).end("gzip");
const deep = "[".repeat(100_000);

/** Invalid bytes on the wire. */
export const hostileBodies: readonly HostileAnswer[] = [
  ...["/token", "/userinfo"].flatMap((path) => [
    raw(path, "leads elsewhere", "unreachable redirected", redirecting),
    raw(path, "endless", "unreachable too_large", endless),
    raw(path, "breaks off", "unreachable connection_failed", cut),
    raw(path, "compressed", "unreachable encoded", packed),
    raw(path, "a page", "answer_malformed", typed("<html>", 200, "text/html")),
    raw(path, "a list", "answer_malformed", typed("[]")),
    raw(path, "deep", "answer_malformed", typed(deep)),
    raw(path, "reaches for a prototype", "answer_malformed", typed('{"__proto__":{"sub":"victim"}}')),
    raw(path, "nothing", "answer_malformed", typed("")),
  ]),
  raw("/token", "fails", "code_refused status 500", typed("{}", 500)),
  raw("/token", "an error with status 200", "code_refused status 200", typed('{"error":"bad_verification_code"}')),
  raw("/token", "other tokens only", "answer_malformed", typed('{"token_type":"Bearer"}')),
  raw("/userinfo", "fails", "unreachable status 500", typed("{}", 500)),
  raw("/userinfo", "unsigned, where it says signed", "token_refused not_compact", typed("{}", 200, "application/jwt")),
  raw("/keys", "leads elsewhere", "token_refused key_unknown", redirecting),
  raw("/keys", "endless", "token_refused key_unknown", endless),
  raw("/keys", "no keys", "token_refused key_unknown", typed('{"keys":{}}')),
  raw("/keys", "a page", "token_refused key_unknown", typed("<html>")),
  ...[undefined, null, 1, ["x"], "", "a\r\nx-evil: b", "a b", "é", "x".repeat(16_385)].map(
    (access): HostileAnswer => ({
      name: `access token ${json(access)?.slice(0, 20) ?? "absent"}`,
      why: "answer_malformed",
      title: "failed",
      change: (provider) => set(provider, { tokens: { access_token: access } }),
    }),
  ),
  {
    name: "no id token",
    why: "answer_malformed",
    title: "failed",
    change: (provider) => set(provider, { tokens: { id_token: undefined } }),
  },
  {
    name: "userinfo signed for somebody else",
    why: "token_refused audience",
    title: "failed",
    change: (provider) => signUserinfo(provider, { aud: "somebody" }),
  },
  {
    name: "userinfo signed by somebody else",
    why: "token_refused issuer",
    title: "failed",
    change: (provider) => signUserinfo(provider, { iss: "https://attacker.example" }),
  },
  {
    name: "userinfo signed, of somebody else",
    why: "subject_mismatch",
    title: "failed",
    change: (provider) => signUserinfo(provider, { sub: "victim" }),
  },
];

function signUserinfo({ answers, issuer, sign, user }: TestProvider, claims: Json): void {
  const text = sign({ iss: issuer, aud: "doorward", ...user, ...claims });
  answers.set("/userinfo", typed(text, 200, "application/jwt"));
}

/** Parameters that the browser brings back. */
export const hostileReturns: readonly HostileAnswer[] = [
  {
    name: "names another issuer (RFC 9207)",
    why: "issuer_mismatch",
    title: "failed",
    change: () => {},
    bring: (back) => back.searchParams.set("iss", "https://attacker.example"),
  },
  {
    name: "names an empty issuer (RFC 9207)",
    why: "issuer_mismatch",
    title: "failed",
    change: () => {},
    bring: (back) => back.searchParams.set("iss", ""),
  },
  {
    name: "names no issuer where that is announced (RFC 9207)",
    why: "issuer_mismatch",
    title: "failed",
    change: (provider) => set(provider, { metadata: { authorization_response_iss_parameter_supported: true } }),
  },
  {
    name: "an error of another issuer (RFC 9207)",
    why: "issuer_mismatch",
    title: "failed",
    change: () => {},
    bring: (back) => {
      back.searchParams.delete("code");
      back.searchParams.set("error", "access_denied");
      back.searchParams.set("iss", "https://attacker.example");
    },
  },
  {
    name: "a code that was never given out",
    why: "code_refused status 400",
    title: "failed",
    change: () => {},
    bring: (back) => back.searchParams.set("code", "x' or 1=1 --\r\nx"),
  },
  ...["access_denied", "login_required", "server_error", "<script>alert(1)</script>"].map(
    (error): HostileAnswer => ({
      name: `error ${error}`,
      why: "denied",
      title: "cancelled",
      change: () => {},
      bring: (back) => {
        back.searchParams.delete("code");
        back.searchParams.set("error", error);
        back.searchParams.set("error_description", "<script>alert(1)</script>");
      },
    }),
  ),
];

const discovery = (name: string, metadata: Json, why = "discovery_invalid"): HostileAnswer => ({
  name: `discovery: ${name}`,
  why,
  title: "does not answer",
  change: (provider) => set(provider, { metadata }),
});

const wellKnown = "/.well-known/openid-configuration";

/** What a provider's metadata says; no browser is sent there. */
export const hostileDiscovery: readonly HostileAnswer[] = [
  discovery("another issuer", { issuer: "https://attacker.example" }),
  discovery("issuer in a list", { issuer: ["https://attacker.example"] }),
  discovery("no issuer", { issuer: undefined }),
  discovery("no keys", { jwks_uri: undefined }),
  discovery("keys in a file", { jwks_uri: "file:///etc/passwd" }),
  discovery("a script to authorize with", { authorization_endpoint: "javascript:alert(1)" }),
  discovery("a page as data to authorize with", { authorization_endpoint: "data:text/html,x" }),
  discovery("a user in the token endpoint", { token_endpoint: "http://a:b@localhost/token" }),
  discovery("a number as token endpoint", { token_endpoint: 1 }),
  raw(wellKnown, "leads elsewhere", "unreachable redirected", redirecting),
  raw(wellKnown, "endless", "unreachable too_large", endless),
  raw(wellKnown, "is not there", "unreachable status 404", typed("{}", 404)),
  { ...raw(wellKnown, "a page", "answer_malformed", typed("<html>")), title: "does not answer" },
];

/** Endpoints inside the operator's network (CVE-2026-53513): accepted as addresses, and never requested. */
export const hostileEndpoints: readonly HostileAnswer[] = [
  {
    name: "tokens come from inside (CVE-2026-53513)",
    why: "unreachable address_refused",
    title: "does not answer",
    change: (provider) => set(provider, { metadata: { token_endpoint: "http://169.254.169.254/token" } }),
  },
  {
    name: "keys come from inside (CVE-2026-53513)",
    why: "token_refused key_unknown",
    title: "failed",
    change: (provider) => set(provider, { metadata: { jwks_uri: "http://[fd00::1]/keys" } }),
  },
  {
    name: "userinfo comes from inside (CVE-2026-53513)",
    why: "unreachable address_refused",
    title: "does not answer",
    change: (provider) => set(provider, { metadata: { userinfo_endpoint: "http://10.0.0.1/userinfo" } }),
  },
];
