import assert from "node:assert/strict";
import { before, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import {
  decodeBase64,
  documentLimits,
  encodeBase64,
  readPost,
  readRedirect,
  readXml,
  type SamlParameter,
  textIn,
  verifyRedirect,
  writePost,
  writeRedirect,
  xml,
} from "../../../src/base/saml/index.ts";
import { createPartner, isRefused } from "./support.ts";

let partner: Awaited<ReturnType<typeof createPartner>>;
before(async () => {
  partner = await createPartner();
});

const rules = () => ({ keys: [partner.publicKey] });
const destination = "https://idp.example/sso?tenant=1";
const message = xml("saml:Issuer", {}, ["https://sp.example/ü"]);
const queryOf = (url: string): string => url.slice(url.indexOf("?tenant=1&") + "?tenant=1&".length);
const parameter: SamlParameter = "SAMLRequest";
const redirectTo = () => ({ destination, parameter, message, relayState: "a b&c" });

test("a message travels in a signed query", async () => {
  const url = await writeRedirect({ ...redirectTo(), signer: partner.signer });
  assert.ok(url.startsWith(`${destination}&SAMLRequest=`));
  const read = await readRedirect(queryOf(url), "SAMLRequest");
  verifyRedirect(read, rules());
  assert.equal(read.relayState, "a b&c");
  assert.equal(textIn(await readXml(read.message)), "https://sp.example/ü");
});

test("a query without a signature is read, and not proven", async () => {
  const read = await readRedirect(queryOf(await writeRedirect(redirectTo())), "SAMLRequest");
  assert.equal(read.signature, undefined);
  assert.throws(() => verifyRedirect(read, rules()), isRefused("unsigned"));
});

test("a signature covers message, relay state and algorithm as they came", async () => {
  const good = queryOf(await writeRedirect({ ...redirectTo(), signer: partner.signer }));
  const other = queryOf(await writeRedirect({ ...redirectTo(), message: xml("saml:Issuer", {}, ["x"]) }));
  const [forged = ""] = other.split("&");
  const changes: [string, string][] = [
    [good.replace(/SAMLRequest=[^&]*/, forged), "signature"],
    [good.replace("RelayState=a%20b%26c", "RelayState=x"), "signature"],
    [good.replace("RelayState=a%20b%26c&", ""), "signature"],
    [good.replace("a%20b", "a+b"), "signature"],
    [good.replace("rsa-sha256", "rsa-sha512"), "signature"],
    [good.replace("rsa-sha256", "hmac-sha256"), "algorithm"],
    [good.replace(/xmldsig-more%23rsa-sha256/, "xmldsig%23rsa-sha1"), "algorithm"],
  ];
  for (const [query, reason] of changes) {
    assert.notEqual(query, good);
    const read = await readRedirect(query, "SAMLRequest");
    assert.throws(() => verifyRedirect(read, rules()), isRefused(reason as "signature"), query.slice(-80));
  }
  const stranger = await createPartner();
  const read = await readRedirect(good, "SAMLRequest");
  assert.throws(() => verifyRedirect(read, { keys: [stranger.publicKey] }), isRefused("signature"));
});

test("parameters in another order are covered in the order of the standard", async () => {
  const good = queryOf(await writeRedirect({ ...redirectTo(), signer: partner.signer }));
  const read = await readRedirect(good.split("&").toReversed().join("&"), "SAMLRequest");
  verifyRedirect(read, rules());
});

test("what is ambiguous, half signed or encoded otherwise is refused", async () => {
  const good = queryOf(await writeRedirect({ ...redirectTo(), signer: partner.signer }));
  for (const query of [
    "",
    `${good}&RelayState=x`,
    `${good}&%52elayState=x`,
    `${good}&SAMLRequest=x`,
    good.replace(/SAMLRequest=[^&]*/, "SAMLRequest=*"),
    good.replace(/SAMLRequest=[^&]*/, "SAMLRequest=AAAA"),
    good.replace(/SAMLRequest=/, "SAMLResponse="),
    good.replace(/SAMLRequest=/, "SAMLRequest=%"),
    `${good}&SAMLEncoding=x`,
  ]) {
    await assert.rejects(readRedirect(query, "SAMLRequest"), isRefused("malformed"), query.slice(-60));
  }
  for (const query of [good.replace(/&SigAlg=[^&]*/, ""), good.replace(/&Signature=.*/, "")]) {
    await assert.rejects(readRedirect(query, "SAMLRequest"), isRefused("signature_form"));
  }
});

test("decompression ends at the size of the largest message", async () => {
  const pack = (size: number) => encodeURIComponent(encodeBase64(deflateRawSync(Buffer.alloc(size, "x"))));
  await assert.rejects(readRedirect(`SAMLRequest=${pack(50_000_000)}`, "SAMLRequest"), isRefused("too_large"));
  const { bytes } = documentLimits.request;
  await assert.rejects(readRedirect(`SAMLRequest=${pack(bytes + 1)}`, "SAMLRequest"), isRefused("too_large"));
  const { message: most } = await readRedirect(`SAMLRequest=${pack(bytes)}`, "SAMLRequest");
  assert.equal(most.length, bytes);
});

test("a form carries a message in base64", async () => {
  assert.equal(textIn(await readXml(readPost(writePost(message), "request"))), "https://sp.example/ü");
  const broken = writePost(message).replaceAll(/.{76}/g, "$&\r\n");
  assert.deepEqual(readPost(broken, "request"), readPost(writePost(message), "request"));
  for (const value of ["", "*", "abc", "=abc"]) {
    assert.throws(() => readPost(value, "request"), isRefused("malformed"));
  }
  for (const kind of ["request", "response"] as const) {
    const { bytes } = documentLimits[kind];
    assert.equal(readPost(encodeBase64(Buffer.alloc(bytes)), kind).length, bytes);
    assert.throws(() => readPost(encodeBase64(Buffer.alloc(bytes + 1)), kind), isRefused("too_large"));
  }
  assert.equal(decodeBase64("YQ==")?.toString(), "a");
});
