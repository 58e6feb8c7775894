import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { isLong } from "../support/data/random.ts";
import { hostileClaims } from "../support/hostile/hostile-claims.ts";
import { type HostileToken, hostileForms } from "../support/hostile/hostile-jose.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { goodJwt, signedWith } from "../support/oidc/signed-jose.ts";
import { makeVerifiers, systemUserKey, type Verifier } from "./support/verifiers.ts";

// `npm run test:hostile` sends all of them; otherwise every verifier gets another part. The verifiers themselves get
// all in `base/jose`.
const sampling = isLong() ? 1 : 3;

test("no verifier takes a token that is not exactly as it has to be (RFC 8725)", async (t) => {
  const { privateKey, publicKey } = systemUserKey();
  const keyFile = join(tmpdir(), `doorward-hostile-${process.pid}.pem`);
  writeFileSync(keyFile, publicKey.export({ type: "spki", format: "pem" }));
  t.after(() => rmSync(keyFile));
  const server = await startOidcServer(t, {
    config: { systemUsers: [{ userId: "ops", keyFile }], assertionAudience: "issuer" },
  });
  const verifiers = await makeVerifiers(server, privateKey, await startTestProvider(t, () => server.clock.now));
  for (const [index, verifier] of verifiers.entries()) {
    await t.test(verifier.name, async () => {
      const corpus = corpusFor(verifier, server.clock.now).filter((_, position) => (position + index) % sampling === 0);
      const chunk = Math.ceil(corpus.length / 6);
      const parts = Array.from({ length: 6 }, (_, part) => corpus.slice(part * chunk, (part + 1) * chunk));
      await Promise.all(parts.map((part) => refuseAll(verifier, part)));
      // A verifier that refuses everything would have passed; it comes last, because logout and revocation end what is
      // good.
      const control = await verifier.present(goodJwt(verifier.good()));
      assert.ok(control.accepted, `the good token was refused: ${control.status} ${JSON.stringify(control.body)}`);
    });
  }
});

async function refuseAll(verifier: Verifier, corpus: readonly HostileToken[]): Promise<void> {
  for (const { name, token } of corpus) {
    const { accepted, status, body } = await verifier.present(token);
    assert.ok(!accepted, `${name} was taken`);
    assert.ok(status < 500, `${name}: ${status} ${JSON.stringify(body)}`);
  }
}

function corpusFor(verifier: Verifier, now: number): HostileToken[] {
  const good = verifier.good();
  const forms = hostileForms(good);
  const corpus = verifier.assertion === undefined ? [...forms, ...ownClaims(verifier)] : forms;
  if (verifier.assertion !== undefined) corpus.push(...hostileClaims(good, { now, ...verifier.assertion }));
  return corpus.filter(
    ({ name, token }) =>
      (verifier.sentIn === "form" || /^[\x21-\x7e]+$/.test(token)) &&
      !(verifier.takesAnyKeyId === true && name.startsWith("kid ")),
  );
}

/** Tokens that we never issued, though the key is ours. */
function ownClaims(verifier: Verifier): HostileToken[] {
  const good = verifier.good();
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    iss: [undefined, null, "", 1, ["x"], "https://attacker.example", `${String(good.claims["iss"])}/`],
    ...(good.header.typ === "at+jwt" && {
      jti: [undefined, null, "", 1, [good.claims["jti"]], {}, "unknown", `${String(good.claims["jti"])} `],
      exp: [undefined, null, "", "9999999999", 0, -1, 1],
    }),
    ...(good.header.typ === "JWT" && { sub: [undefined, null, 1, ["x"], {}] }),
  };
  return Object.entries(wrong).flatMap(([name, values]) =>
    values.map((value) => ({
      name: `${name} ${JSON.stringify(value) ?? "absent"}`,
      token: signedWith(good, {}, { [name]: value }),
    })),
  );
}
