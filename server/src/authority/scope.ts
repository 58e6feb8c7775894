import { OAuthError } from "../base/oauth-error.ts";
import { rights } from "../call/index.ts";

const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const maximumLength = 8_192;
const maximumTokens = 200;

/** Namespace word in scopes and claims: our own, or the client's. */
const namespaced = /^urn:([a-z][a-z0-9]*):(?:iam|params):/;

/** Returns the distinct scopes of a request (RFC 6749 §3.3), in the given order. */
export function parseScope(text: string): ReadonlySet<string> {
  if (text.length > maximumLength) throw new OAuthError("invalid_scope", "the scope is too long");
  const tokens = text.split(" ").filter((token) => token !== "");
  if (tokens.length > maximumTokens) throw new OAuthError("invalid_scope", "the scope has too many values");
  if (!tokens.every((token) => scopeToken.test(token)))
    throw new OAuthError("invalid_scope", "the scope has a character that is not allowed");
  return new Set(tokens);
}

/** Writes scopes as a parameter holds them: separated by spaces (RFC 6749 §3.3). */
export const formatScope = (scope: Iterable<string>): string => [...scope].join(" ");

/** The prefix of the reserved scopes and claims, with our own word. */
export const iam = "urn:service:iam";

/** Standard scopes (OpenID Connect Core §5.4, §11) that give something. */
export const standardScopes = ["openid", "profile", "email", "phone", "offline_access"] as const;

/** Standard scopes that are accepted and give nothing, because we keep no postal addresses. */
const emptyScopes: ReadonlySet<string> = new Set(["address"]);

const reservedPrefixes = [
  `${iam}:org:project:id:`,
  `${iam}:org:project:role:`,
  `${iam}:org:roles:id:`,
  `${iam}:org:idp:id:`,
];
/**
 * Scopes that restrict who may sign in. They are known even without a matching organization, because dropping them
 * would admit every user.
 */
const restrictingPrefixes = [`${iam}:org:id:`, `${iam}:org:domain:primary:`];
const reservedScopes = new Set([
  `${iam}:org:projects:roles`,
  `${iam}:user:metadata`,
  `${iam}:user:resourceowner`,
  ...rights.map((right) => `${iam}:api:${right}`),
]);

/** Whether a scope is known. Unknown ones are dropped silently, as clients of this interface expect. */
export function isKnownScope(scope: string): boolean {
  return (
    (standardScopes as readonly string[]).includes(scope) ||
    emptyScopes.has(scope) ||
    reservedScopes.has(scope) ||
    reservedPrefixes.some((prefix) => scope.startsWith(prefix) && scope.length > prefix.length) ||
    restrictingPrefixes.some((prefix) => scope.startsWith(prefix))
  );
}

/**
 * Whether a scope can only be one of a resource: none of the standard ones, and none of those that begin with `urn:`,
 * which no resource can have (`domain/resource`).
 */
export const isResourceScope = (scope: string): boolean =>
  !(standardScopes as readonly string[]).includes(scope) && !emptyScopes.has(scope) && !/^urn:/i.test(scope);

/**
 * Returns the namespace words for claims: those that are listed and known here, or all of them, ours first, when the
 * list names none.
 */
export function namespaceWords(aliases: readonly string[], listed: readonly string[]): readonly string[] {
  const known = ["service", ...aliases.filter((word) => word !== "service")];
  const chosen = known.filter((word) => listed.includes(word));
  return chosen.length > 0 ? chosen : known;
}

/** Returns the alias of our namespace word in the scopes, when it is a configured one. */
export function aliasOf(scope: Iterable<string>, aliases: readonly string[]): string | undefined {
  for (const token of scope) {
    const word = namespaced.exec(token)?.[1];
    if (word !== undefined && aliases.includes(word)) return word;
  }
  return undefined;
}

/** Returns the scopes with our own word in place of an alias. */
export function withoutAlias(scope: Iterable<string>, aliases: readonly string[]): ReadonlySet<string> {
  return new Set(
    [...scope].map((token) => {
      const word = namespaced.exec(token)?.[1];
      if (word === undefined || !aliases.includes(word)) return token;
      const own = token.replace(`urn:${word}:`, "urn:service:");
      return own === `${iam}:org:project:id:${word}:aud` ? `${iam}:org:project:id:service:aud` : own;
    }),
  );
}

/** Parses scopes in the client's spelling, with our own word. */
export const readScopes = (text: string, aliases: readonly string[]): ReadonlySet<string> =>
  withoutAlias(parseScope(text), aliases);

/** Returns the rest of the scopes with a reserved prefix: `values("org:id:")` → organization ids. */
export function scopeValues(scope: Iterable<string>, prefix: string): string[] {
  const full = `${iam}:${prefix}`;
  return [...scope].filter((token) => token.startsWith(full)).map((token) => token.slice(full.length));
}
