import { type GoodToken, json, signedWith, signRaw } from "../oidc/signed-jose.ts";
import type { HostileToken } from "./hostile-jose.ts";

/**
 * What the claims of an assertion must not be: our issuer is its audience, and it expires. Rightly signed, all of them.
 */
export function hostileClaims(
  good: GoodToken,
  rules: { now: number; audience: string; maxAgeSeconds: number },
): HostileToken[] {
  const now = Math.floor(rules.now / 1000);
  const { issuer, audience } = { issuer: String(good.claims["iss"]), audience: rules.audience };
  const wrong: Record<string, readonly unknown[]> = {
    exp: [
      undefined,
      null,
      "",
      "abc",
      String(now + 60),
      [now + 60],
      {},
      true,
      -1,
      0,
      now - 3600,
      now - 61,
      1e308,
      Number.MAX_SAFE_INTEGER,
      (now + 60) * 1000,
    ],
    nbf: [null, "", "abc", String(now), [], {}, true, -1, now + 3600, now + 61, 1e308],
    iat: [
      null,
      "",
      "abc",
      String(now),
      [],
      {},
      false,
      -1,
      now + 3600,
      now + 61,
      0,
      now - rules.maxAgeSeconds - 61,
      1e308,
    ],
    iss: [
      undefined,
      null,
      "",
      1,
      [issuer],
      {},
      "https://attacker.example",
      `${issuer}/`,
      `${issuer} `,
      issuer.slice(0, -1),
      `${issuer}\u0000`,
    ],
    aud: [
      undefined,
      null,
      "",
      0,
      1,
      true,
      {},
      { [audience]: true },
      [],
      [[audience]],
      [audience, "https://other.example"],
      ["https://other.example", audience],
      "https://other.example",
      ["https://other.example"],
      `${audience}/`,
      `${audience}/oauth/v2/token`,
      [`${audience}/oauth/v2/token`],
      `${audience} https://other.example`,
      ` ${audience}`,
      audience.toUpperCase(),
      audience.slice(0, -1),
      `${audience}.attacker.example`,
    ],
    jti: ["", 1, null, [], {}, true, "x".repeat(1000)],
  };
  if (good.claims["sub"] !== undefined)
    wrong["sub"] = [
      undefined,
      null,
      "",
      1,
      [good.claims["sub"]],
      {},
      "somebody-else",
      `${String(good.claims["sub"])} `,
    ];
  const infinite = json(good.claims).replace(/"exp":\d+/, '"exp":1e999');
  return [
    ...Object.entries(wrong).flatMap(([name, values]) =>
      values.map((value) => ({
        name: `${name} ${json(value)?.slice(0, 60) ?? "absent"}`,
        token: signedWith(good, {}, { [name]: value }),
      })),
    ),
    { name: "exp 1e999", token: signRaw(good, json(good.header), infinite) },
    { name: "no claims at all", token: signRaw(good, json(good.header), "{}") },
  ];
}
