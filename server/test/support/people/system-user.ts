import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ending } from "../databases/databases.ts";
import type { TestServer } from "../servers/server.ts";

/** The system user `ops`: what a server has to be configured with, and a way to sign what `ops` sends. */
export function systemUser(t: Ending) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const keyFile = join(tmpdir(), `doorward-system-user-${randomUUID()}.pem`);
  writeFileSync(keyFile, publicKey.export({ type: "spki", format: "pem" }));
  t.after(() => rmSync(keyFile));
  return {
    config: { systemUsers: [{ userId: "ops", keyFile }] },
    tokenFor: (server: TestServer, claims: object = {}, key = privateKey) =>
      signToken(key, { ...claimsOf(server), ...claims }),
  };
}

function claimsOf(server: TestServer) {
  const now = Math.floor(server.clock.now / 1000);
  return { iss: "ops", sub: "ops", aud: server.origin, iat: now, exp: now + 600 };
}

function signToken(privateKey: KeyObject, claims: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${encode({ alg: "ES256", typ: "JWT" })}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${input}.${signature.toString("base64url")}`;
}

/** Host of the second instance. */
export const secondHost = "second.example";

/** Makes a second instance, and tells its id and the token of its owner. */
export async function createSecondInstance(
  server: TestServer,
  token: string,
): Promise<{ instanceId: string; pat: string }> {
  const machine = { userName: "robot", name: "robot", personalAccessToken: { expirationDate: "2100-01-01T00:00:00Z" } };
  const body = { instanceName: "Second", firstOrgName: "Second", customDomain: secondHost, machine };
  const created = await server.rest("POST", "/system/v1/instances/_create", { token, body });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  return created.body;
}
