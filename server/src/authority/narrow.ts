import { OAuthError } from "../base/oauth-error.ts";
import { parseResourceUri } from "../domain/resource/index.ts";
import { formatScope, iam, isKnownScope, isResourceScope, parseScope, withoutAlias } from "./scope.ts";

/**
 * Scopes that show the user's own data to the client. All others are permissions, which only a token that has them can
 * pass on.
 */
const userDataScopes = new Set([
  "openid",
  "profile",
  "email",
  "phone",
  "address",
  `${iam}:user:metadata`,
  `${iam}:user:resourceowner`,
]);

/** The part of a token's rights that its presenter may use. */
interface Allowance {
  /** With our own namespace word; undefined for tokens without scope. */
  readonly scope: ReadonlySet<string> | undefined;
  readonly audience: readonly string[];
}

/** Scopes that take something away: without them there are all roles, and those of all organizations. */
const restrictions = [`${iam}:org:project:role:`, `${iam}:org:roles:id:`];

/**
 * Returns the restrictions of a granted scope that a part of it leaves out, and that it keeps nevertheless: a token
 * that names fewer scopes must not have more than one that names them all. A part that names some has these alone.
 */
export const leftOutRestrictions = (wanted: ReadonlySet<string>, granted: ReadonlySet<string>): string[] =>
  restrictions.flatMap((prefix) => {
    const ofKind = (scopes: ReadonlySet<string>) => [...scopes].filter((one) => one.startsWith(prefix));
    return ofKind(wanted).length > 0 ? [] : ofKind(granted);
  });

/**
 * Returns the scope of a refreshed access token; undefined when it exceeds what was granted, or is empty (RFC 6749
 * §3.3, §6).
 */
export function narrowScope(
  granted: string,
  wanted: ReadonlySet<string> | undefined,
  aliases: readonly string[],
): string | undefined {
  if (wanted === undefined) return granted;
  const own = withoutAlias(parseScope(granted), aliases);
  const part = withoutAlias(wanted, aliases);
  const isSubset = part.size > 0 && [...part].every((scope) => own.has(scope));
  return isSubset ? formatScope([...wanted, ...leftOutRestrictions(part, own)]) : undefined;
}

/**
 * Refuses a scope that exceeds the granted one (RFC 8693 §2.1, CVE-2026-56668): all of it must be in the subject's
 * token. Where the subject has no scope (ID token, user id, JWT of the client), permissions must be in the actor's
 * token, and the user's data may be requested.
 */
export function requireGrantedScope(
  scope: ReadonlySet<string>,
  subject: Pick<Allowance, "scope">,
  actor: Pick<Allowance, "scope"> | undefined,
): void {
  for (const token of scope) {
    if (!isKnownScope(token) && !isResourceScope(token))
      throw new OAuthError("invalid_scope", `the scope ${token} is unknown`);
    const isGranted =
      subject.scope === undefined
        ? userDataScopes.has(token) || actor?.scope?.has(token) === true
        : subject.scope.has(token);
    if (!isGranted) throw new OAuthError("invalid_scope", `the scope ${token} goes beyond what was granted`);
  }
  if (scope.size === 0) throw new OAuthError("invalid_scope", "no scope is asked for");
}

/**
 * Returns the audience of the new token: a subset of what both tokens have (RFC 8693 §2.1); by default the subject's,
 * otherwise the actor's. Resources may be spelled differently from those in the tokens.
 */
export function narrowAudience(
  asked: { readonly audience: readonly string[]; readonly resources: readonly string[] },
  subject: Pick<Allowance, "audience">,
  actor: Pick<Allowance, "audience"> | undefined,
): string[] {
  const ofActor = actor?.audience ?? [];
  const resources = asked.resources.map((uri) => asSpelled(uri, [...subject.audience, ...ofActor]));
  const wanted = [...asked.audience, ...resources];
  if (wanted.length === 0) return [...(subject.audience.length > 0 ? subject.audience : ofActor)];
  const combined = new Set([...subject.audience, ...ofActor]);
  for (const name of wanted) {
    if (!combined.has(name)) throw new OAuthError("invalid_target", "the audience goes beyond that of the tokens");
  }
  return [...new Set(wanted)];
}

function asSpelled(uri: string, names: readonly string[]): string {
  const key = parseResourceUri(uri)?.key;
  return names.find((name) => key !== undefined && parseResourceUri(name)?.key === key) ?? uri;
}
