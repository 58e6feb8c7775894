import { createHash } from "node:crypto";
import type { Random } from "../../base/random.ts";

const namespaces: Readonly<Record<string, string>> = {
  dns: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  url: "6ba7b811-9dad-11d1-80b4-00c04fd430c8",
  oid: "6ba7b812-9dad-11d1-80b4-00c04fd430c8",
  x500: "6ba7b814-9dad-11d1-80b4-00c04fd430c8",
};

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Creates a UUID (RFC 9562) of version 3 or 5 from a name in a namespace, and of version 4 otherwise. */
export function createUuid(random: Random, version: string, namespace: string, name: string): string {
  if (version !== "3" && version !== "5") return toText(random(16), 4);
  const known = namespaces[namespace] ?? namespace;
  if (!form.test(known)) throw new Error("the namespace is not a UUID");
  const hash = createHash(version === "3" ? "md5" : "sha1");
  hash.update(Buffer.from(known.replaceAll("-", ""), "hex")).update(name);
  return toText(hash.digest().subarray(0, 16), Number(version));
}

function toText(bytes: Buffer, version: number): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = bytes.toString("hex");
  return [8, 12, 16, 20, 32].map((end, index, ends) => digits.slice(ends[index - 1] ?? 0, end)).join("-");
}
