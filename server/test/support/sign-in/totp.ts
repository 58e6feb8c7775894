import { createHmac } from "node:crypto";

/**
 * The code that an authenticator app shows for a secret (base32) at an instant; `steps` moves it by so many half
 * minutes.
 */
export function appCode(secret: string, instant: number, steps = 0): string {
  const bits = [...secret].map((character) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(character).toString(2).padStart(5, "0"),
  );
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeUInt32BE(Math.floor(instant / 30_000) + steps, 4);
  const mac = createHmac("sha1", key).update(counter).digest();
  const number = mac.subarray((mac[19] ?? 0) % 16).readInt32BE() & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}
