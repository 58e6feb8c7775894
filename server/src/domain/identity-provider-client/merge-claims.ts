type Claims = Readonly<Record<string, unknown>>;

const proofs = { email: "email_verified", phone_number: "phone_number_verified" } as const;

/**
 * Merges the claims of the id token and of the userinfo endpoint, which takes precedence. A proof covers only the value
 * from the same source: `email_verified` of one source says nothing about another address in the other.
 */
export function mergeClaims(claims: Claims, userinfo: Claims): Claims {
  const merged: Record<string, unknown> = { ...claims, ...userinfo };
  for (const [name, proof] of Object.entries(proofs)) {
    const [chosen, other] = Object.hasOwn(userinfo, name) ? [userinfo, claims] : [claims, userinfo];
    const isSaidByBoth = chosen[name] !== undefined && chosen[name] === other[name];
    merged[proof] = chosen[proof] ?? (isSaidByBoth ? other[proof] : undefined);
    if (merged[proof] === undefined) delete merged[proof];
  }
  return merged;
}
