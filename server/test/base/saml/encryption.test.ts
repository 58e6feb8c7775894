import assert from "node:assert/strict";
import { constants, createCipheriv, type KeyObject, publicEncrypt, randomBytes } from "node:crypto";
import { before, test } from "node:test";
import { systemRandom } from "../../../src/base/random.ts";
import {
  decryptElement,
  encodeBase64,
  encryptElement,
  readXml,
  signElement,
  verifySignature,
  writeXml,
  xml,
} from "../../../src/base/saml/index.ts";
import { assertionOf, createPartner, isRefused } from "./support.ts";

let partner: Awaited<ReturnType<typeof createPartner>>;
before(async () => {
  partner = await createPartner();
});

const around = (inside: ReturnType<typeof encryptElement>) => writeXml(xml("saml:EncryptedAssertion", {}, [inside]));
const encrypted = async () =>
  around(encryptElement(await signElement(assertionOf("alice"), partner.signer), partner.publicKey, systemRandom));

test("an assertion is decrypted with our key, and its signature still counts", async () => {
  const read = await readXml(await encrypted());
  const assertion = await decryptElement(read, { keys: [partner.key] });
  const covered = await verifySignature(assertion, { keys: [partner.publicKey] });
  assert.match(writeXml(covered), /alice/);
  const other = await createPartner();
  await decryptElement(read, { keys: [other.key, partner.key] });
});

test("whatever fails, the error is the same", async () => {
  const good = await encrypted();
  const other = await createPartner();
  await assert.rejects(decryptElement(await readXml(good), { keys: [other.key] }), isRefused("decryption"));
  const changes: [RegExp, string][] = [
    [/aes256-gcm/, "aes128-gcm"],
    [/aes256-gcm/, "unknown"],
    [/rsa-oaep-mgf1p/, "rsa-1_5"],
    [/xmldsig#sha1/, "xmldsig#md5"],
    [/(<xenc:CipherValue>)./, "$1*"],
    [/<xenc:CipherData>.*?<\/xenc:CipherData>/, ""],
    [/<xenc:EncryptedKey.*<\/xenc:EncryptedKey>/, ""],
    [/<xenc:EncryptedData.*<\/xenc:EncryptedData>/, ""],
  ];
  for (const [pattern, to] of changes) {
    const changed = good.replace(pattern, to);
    assert.notEqual(changed, good);
    await assert.rejects(decryptElement(await readXml(changed), { keys: [partner.key] }), isRefused("decryption"));
  }
  const flipped = good.replace(
    /(.)(<\/xenc:CipherValue><\/xenc:CipherData><\/xenc:EncryptedData>)/,
    (_, last, end) => `${last === "=" ? "A" : "="}${end}`,
  );
  await assert.rejects(decryptElement(await readXml(flipped), { keys: [partner.key] }), isRefused("decryption"));
});

test("what is decrypted is read as strictly as any document", async () => {
  const { publicKey } = partner;
  const hostile = seal(`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`, "gcm", publicKey);
  await assert.rejects(decryptElement(await readXml(hostile), { keys: [partner.key] }), isRefused("decryption"));
  const fine = seal("<a>c</a>", "gcm", publicKey);
  assert.equal((await decryptElement(await readXml(fine), { keys: [partner.key] })).name, "a");
});

test("CBC is accepted only where it is allowed", async () => {
  for (const mode of ["cbc", "tripleDes"] as const) {
    const document = await readXml(seal("<a>c</a>", mode, partner.publicKey));
    await assert.rejects(decryptElement(document, { keys: [partner.key] }), isRefused("decryption"));
    assert.equal((await decryptElement(document, { keys: [partner.key], allowsCbc: true })).name, "a");
  }
});

test("a document with many keys for us is refused", async () => {
  const good = await encrypted();
  const [key = ""] = good.match(/<xenc:EncryptedKey.*<\/xenc:EncryptedKey>/) ?? [];
  const four = good.replace(key, key.repeat(4));
  await decryptElement(await readXml(four), { keys: [partner.key] });
  const five = good.replace(key, key.repeat(5));
  await assert.rejects(decryptElement(await readXml(five), { keys: [partner.key] }), isRefused("decryption"));
});

/** Encrypts a text as another implementation does, with the newer key transport. */
function seal(text: string, mode: "gcm" | "cbc" | "tripleDes", key: KeyObject): string {
  const contentKey = randomBytes(mode === "tripleDes" ? 24 : 32);
  const content = mode === "gcm" ? sealGcm(text, contentKey) : sealCbc(text, contentKey, cbc[mode]);
  const wrapped = publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" }, contentKey);
  const method =
    mode === "gcm"
      ? "http://www.w3.org/2009/xmlenc11#aes256-gcm"
      : `http://www.w3.org/2001/04/xmlenc#${cbc[mode].name}`;
  const data = (bytes: Buffer) => xml("xenc:CipherData", {}, [xml("xenc:CipherValue", {}, [encodeBase64(bytes)])]);
  const encryptedKey = xml("xenc:EncryptedKey", {}, [
    xml("xenc:EncryptionMethod", { Algorithm: "http://www.w3.org/2009/xmlenc11#rsa-oaep" }, [
      xml("ds:DigestMethod", { Algorithm: "http://www.w3.org/2001/04/xmlenc#sha256" }),
      xml("xenc11:MGF", { Algorithm: "http://www.w3.org/2009/xmlenc11#mgf1sha256" }),
    ]),
    data(wrapped),
  ]);
  // The key beside the data, as some partners have it (SAML Core §2.2.4).
  return writeXml(
    xml("saml:EncryptedAssertion", {}, [
      xml("xenc:EncryptedData", {}, [xml("xenc:EncryptionMethod", { Algorithm: method }), data(content)]),
      encryptedKey,
    ]),
  );
}

function sealGcm(text: string, key: Buffer): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  return Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

const cbc = {
  cbc: { name: "aes256-cbc", cipher: "aes-256-cbc", ivSize: 16 },
  tripleDes: { name: "tripledes-cbc", cipher: "des-ede3-cbc", ivSize: 8 },
} as const;

function sealCbc(text: string, key: Buffer, { cipher: algorithm, ivSize }: (typeof cbc)["cbc" | "tripleDes"]): Buffer {
  const iv = randomBytes(ivSize);
  const cipher = createCipheriv(algorithm, key, iv);
  return Buffer.concat([iv, cipher.update(text), cipher.final()]);
}
