import assert from "node:assert/strict";
import { pbkdf2Sync, scryptSync } from "node:crypto";
import { test } from "node:test";
import { hash as hashArgon2 } from "@node-rs/argon2";
import { hash as hashBcrypt } from "@node-rs/bcrypt";
import { payFor } from "../../src/base/budget/payer.ts";
import { createPasswordHasher, supportOf } from "../../src/base/password/password-hash.ts";
import { systemRandom } from "../../src/base/random.ts";

const hasher = createPasswordHasher({ concurrency: 2, queueLimit: 1000, random: systemRandom });
const salt = Buffer.from("0123456789abcdef");
const phc = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");
const modular = (bytes: Buffer): string => phc(bytes).replaceAll("+", ".");

function scryptHash(password: string, ln = 14, size = 32): string {
  const digest = scryptSync(password, salt, size, { N: 2 ** ln, r: 8, p: 1, maxmem: 2 ** 30 });
  return `$scrypt$ln=${ln},r=8,p=1$${phc(salt)}$${phc(digest)}`;
}

function pbkdf2Hash(password: string, hash: string, form: "phc" | "modular" | "padded", iterations = 1000): string {
  const digest = pbkdf2Sync(password, salt, iterations, 32, hash);
  if (form === "phc") return `$pbkdf2-${hash}$i=${iterations},l=32$${phc(salt)}$${phc(digest)}`;
  if (form === "padded")
    return `$pbkdf2-${hash}$i=${iterations}$${salt.toString("base64")}$${digest.toString("base64")}`;
  return `$pbkdf2-${hash}$${iterations}$${modular(salt)}$${modular(digest)}`;
}

async function everyForm(password: string): Promise<string[]> {
  const bcrypt = await hashBcrypt(password, 4);
  return [
    ...["$2a$", "$2b$", "$2y$"].map((prefix) => prefix + bcrypt.slice(4)),
    scryptHash(password),
    scryptHash(password, 10, 64),
    ...["sha1", "sha224", "sha256", "sha384", "sha512"].flatMap((hash) =>
      (["phc", "modular", "padded"] as const).map((form) => pbkdf2Hash(password, hash, form)),
    ),
    pbkdf2Hash(password, "sha1", "modular").replace("pbkdf2-sha1", "pbkdf2"),
    await hashArgon2(password, { memoryCost: 1024 }),
  ];
}

test("hashes of other systems match the exact password and ask for a hash of ours", async () => {
  for (const password of ["password", "pässwörd 🔑", "x".repeat(72), ""]) {
    for (const stored of await everyForm(password)) {
      assert.equal(supportOf(stored), "supported", stored);
      assert.deepEqual(await hasher.verify(password, stored), { matches: true, needsRehash: true }, stored);
      for (const other of [`${password}x`, "Password", `${password} `]) {
        assert.deepEqual(await hasher.verify(other, stored), { matches: false, needsRehash: false }, stored);
      }
    }
  }
});

function firebaseExample(): string {
  const decode = (text: string): Buffer => Buffer.from(text, "base64");
  const key = decode("jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==");
  const hash = decode("lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==");
  const salted = Buffer.concat([decode("42xEC+ixf3L2lw=="), decode("Bw==")]);
  const stream = Buffer.from(hash.map((byte, index) => byte ^ (key[index] ?? 0)));
  return `$firebase-scrypt$ln=14,r=8,p=1$${phc(salted)}$${phc(stream)}`;
}

test("published examples of bcrypt, scrypt, PBKDF2 and Firebase match", async () => {
  const examples = [
    // bcrypt: the examples of the crypt_blowfish and jBCrypt test suites.
    ["U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
    ["abc", "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"],
    // PBKDF2: the examples of passlib's documentation and RFC 6070 (password, salt, 4096 iterations, 20 bytes).
    ["password", "$pbkdf2-sha256$6400$.6UI/S.nXIk8jcbdHx3Fhg$98jZicV16ODfEsEZeYPGHU3kbrUrvUEXOPimVSQDD44"],
    ["password", "$pbkdf2$4096$c2FsdA$SwB5AbdlSJq+rUnZJvch0GWkKcE"],
    // scrypt: RFC 7914 §12 (password, NaCl, N 1024, r 8, p 16, 64 bytes).
    [
      "password",
      `$scrypt$ln=10,r=8,p=16$TmFDbA$${phc(
        Buffer.from(
          "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162" +
            "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640",
          "hex",
        ),
      )}`,
    ],
    // Firebase: the example of github.com/firebase/scrypt, with the signer key taken out of the hash.
    ["user1password", firebaseExample()],
  ] as const;
  for (const [password, stored] of examples) {
    assert.ok((await hasher.verify(password, stored)).matches, stored);
    assert.equal((await hasher.verify(`${password}x`, stored)).matches, false, stored);
  }
});

test("a password above 72 bytes does not match a bcrypt hash by its beginning", async () => {
  const stored = await hashBcrypt("x".repeat(72), 4);
  assert.ok((await hasher.verify("x".repeat(72), stored)).matches);
  for (const longer of ["x".repeat(73), `${"x".repeat(72)}anything`, "é".repeat(37)]) {
    assert.equal((await hasher.verify(longer, stored)).matches, false);
    assert.equal((await hasher.verify(longer, await hashBcrypt(longer, 4))).matches, false);
  }
});

test("an imported hash of the decomposed spelling still matches what is typed", async () => {
  for (const stored of await everyForm("e\u0301te\u0301-passw")) {
    assert.ok((await hasher.verify("e\u0301te\u0301-passw", stored)).matches, stored);
  }
});

test("malformed, unknown and too expensive hashes are unsupported and match nothing, quickly", async () => {
  const digest = phc(Buffer.alloc(32, 7));
  const bcrypt = await hashBcrypt("password", 4);
  const wrong = [
    "",
    "password",
    "$",
    "$$$$",
    "$1$salt$5f4dcc3b5aa765d61d8327deb882cf99",
    "5f4dcc3b5aa765d61d8327deb882cf99",
    `$2x$${bcrypt.slice(4)}`,
    `$2$${bcrypt.slice(4)}`,
    bcrypt.replace("$04$", "$03$"),
    bcrypt.replace("$04$", "$16$"),
    bcrypt.replace("$04$", "$31$"),
    bcrypt.slice(0, -1),
    `${bcrypt}\n`,
    `${bcrypt}A`,
    `$scrypt$ln=30,r=8,p=1$${phc(salt)}$${digest}`,
    `$scrypt$ln=14,r=9999,p=1$${phc(salt)}$${digest}`,
    `$scrypt$ln=14,r=8,p=9999$${phc(salt)}$${digest}`,
    `$scrypt$ln=0,r=8,p=1$${phc(salt)}$${digest}`,
    `$scrypt$ln=14,r=0,p=1$${phc(salt)}$${digest}`,
    `$scrypt$ln=14,r=8,p=0$${phc(salt)}$${digest}`,
    `$pbkdf2-sha256$i=0$${phc(salt)}$${digest}`,
    `$pbkdf2-sha256$i=9999999999$${phc(salt)}$${digest}`,
    `$pbkdf2-md5$i=1000$${phc(salt)}$${digest}`,
    `$pbkdf2-sha256$i=1000$${phc(salt)}$`,
    `$pbkdf2-sha256$i=1000$$${digest}`,
    `$pbkdf2-sha256$i=1000$${phc(salt)}$${phc(Buffer.alloc(15))}`,
    `$pbkdf2-sha256$i=1000$${phc(salt)}$${phc(Buffer.alloc(129))}`,
    `$pbkdf2-sha256$i=1000$${phc(salt)}$not base64!`,
    `$argon2id$v=19$m=4194304,t=1,p=1$${phc(salt)}$${digest}`,
    `$argon2id$v=19$m=65536,t=1000,p=1$${phc(salt)}$${digest}`,
    `$argon2id$v=19$m=7,t=1,p=1$${phc(salt)}$${digest}`,
    `$argon2id$v=19$m=19456,t=0,p=1$${phc(salt)}$${digest}`,
    `$argon2id$v=19$m=19456,t=2,p=1$${phc(Buffer.alloc(7))}$${digest}`,
    `$argon2id$v=19$m=19456,t=2,p=1$${phc(salt)}$${phc(Buffer.alloc(4))}`,
    `$argon2id$v=20$m=19456,t=2,p=1$${phc(salt)}$${digest}`,
    `$argon2x$v=19$m=19456,t=2,p=1$${phc(salt)}$${digest}`,
    `$scrypt$ln=14,r=8,p=1$${"A".repeat(2000)}$${digest}`,
    "$".repeat(100_000),
  ];
  for (const stored of wrong) {
    assert.equal(supportOf(stored), "unsupported", stored.slice(0, 80));
    if (!stored.startsWith("$argon2id$v=19$m=19456,t=2,p=1$")) {
      assert.deepEqual(await hasher.verify("password", stored), { matches: false, needsRehash: false });
    }
  }
});

test("a hash that would take long to check is not imported, one that is usual elsewhere is (A28)", async () => {
  const digest = phc(Buffer.alloc(32, 7));
  const bcrypt = await hashBcrypt("password", 4);
  const scryptOf = (ln: number, p = 1): string => `$scrypt$ln=${ln},r=8,p=${p}$${phc(salt)}$${digest}`;
  const argon2Of = (m: number, t: number): string => `$argon2id$v=19$m=${m},t=${t},p=1$${phc(salt)}$${digest}`;
  const pbkdf2Of = (hash: string, rounds: number, size = 32): string =>
    `$pbkdf2-${hash}$i=${rounds}$${phc(salt)}$${phc(Buffer.alloc(size, 7))}`;
  const usual = [
    bcrypt.replace("$04$", "$10$"),
    bcrypt.replace("$04$", "$12$"),
    scryptOf(17),
    argon2Of(65_536, 3),
    argon2Of(262_144, 4),
    pbkdf2Of("sha256", 600_000),
    pbkdf2Of("sha512", 210_000, 64),
    pbkdf2Of("sha1", 1_300_000, 20),
  ];
  const costly = [
    bcrypt.replace("$04$", "$13$"),
    bcrypt.replace("$04$", "$15$"),
    scryptOf(17, 4),
    argon2Of(262_144, 8),
    pbkdf2Of("sha256", 5_000_000),
    pbkdf2Of("sha256", 600_000, 128),
  ];
  for (const stored of usual) assert.equal(supportOf(stored), "supported", stored);
  for (const stored of costly) assert.equal(supportOf(stored), "too_costly", stored);
});

test("costly hashes of one organization hold up neither our own nor those of others (A28)", async (t) => {
  const slow = createPasswordHasher({ concurrency: 2, queueLimit: 128, random: systemRandom });
  const own = await slow.hash("password");
  const cheap = await hashBcrypt("password", 8);
  const costly = await hashBcrypt("password", 13);
  const time = async (work: () => Promise<unknown>): Promise<number> => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  const flood = Array.from({ length: 4 }, () => payFor(["one", "attacker"], () => slow.verify("wrong", costly)));
  const ours = await time(() => payFor(["one", "victim"], () => slow.verify("password", own)));
  const theirs = await time(() => payFor(["one", "victim"], () => slow.verify("password", cheap)));
  const all = await time(() => Promise.all(flood));
  t.diagnostic(`ours ${ours.toFixed(0)} ms, imported ${theirs.toFixed(0)} ms, the flood ${all.toFixed(0)} ms more`);
  assert.ok(ours + theirs < all, "both are long done when the flood ends");
  for (const check of await Promise.all(flood)) assert.equal(check.matches, false);
});

test("other spellings of an Argon2 hash match as well", async () => {
  const stored = await hashArgon2("password", { memoryCost: 1024, timeCost: 2, parallelism: 1 });
  const [, , , , text = "", digest = ""] = stored.split("$");
  const dotted = stored.replace(text, text.replaceAll("+", ".")).replace(digest, digest.replaceAll("+", "."));
  const padded = stored.replace(text, `${text}==`).replace(digest, `${digest}=`);
  for (const spelled of [dotted, padded, stored.replace("m=1024", "m=0001024")]) {
    assert.equal(supportOf(spelled), "supported", spelled);
    assert.equal((await hasher.verify("password", spelled)).matches, true, spelled);
    assert.equal((await hasher.verify("Password", spelled)).matches, false, spelled);
  }
});

test("what a cost does not tell is bounded as well: lanes, blocks, repetitions, slow digests", async () => {
  const [text, digest] = [phc(salt), phc(Buffer.alloc(32, 1))];
  assert.equal(supportOf(`$scrypt$ln=10,r=8,p=16$${text}$${digest}`), "supported");
  for (const dear of [
    `$scrypt$ln=1,r=66,p=9999$${text}$${digest}`,
    `$scrypt$ln=1,r=9999,p=16$${text}$${digest}`,
    `$argon2id$v=19$m=7992,t=1,p=999$${text}$${digest}`,
  ]) {
    assert.equal(supportOf(dear), "unsupported", dear);
  }
  assert.equal(supportOf(`$pbkdf2-sha256$i=1200000$${text}$${digest}`), "supported");
  assert.equal(supportOf(`$pbkdf2-sha512$i=1200000$${text}$${digest}`), "too_costly");
  const largest = `$scrypt$ln=12,r=64,p=16$${text}$${digest}`;
  assert.equal((await hasher.verify("password", largest)).matches, false, "OpenSSL's limit of memory is not met");
});
