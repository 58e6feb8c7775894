import { iam } from "../../authority/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { userClaimNames } from "../claims/user-claims.ts";

/** Where claims are: `only_token` is an ID token without an access token beside it. */
export type ClaimsOf = "id_token" | "only_token" | "access_token" | "userinfo";

/** Why a claim is there, or missing. */
export type ClaimReason =
  | "protocol"
  | "request"
  | "scope"
  | "setting"
  | "extension"
  | "missing_scope"
  | "missing_setting"
  | "missing_value";

export interface ClaimNote {
  readonly name: string;
  readonly reason: ClaimReason;
  /** The scope or setting that decides. */
  readonly detail?: string;
}

interface Explained {
  readonly kind: ClaimsOf;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The granted scope, in our own namespace. */
  readonly scope: ReadonlySet<string>;
  readonly client: Client;
  readonly aliases: readonly string[];
}

const ofProtocol = {
  id_token: ["iss", "sub", "aud", "exp", "iat", "jti", "azp", "auth_time", "acr", "amr", "sid", "at_hash"],
  only_token: ["iss", "sub", "aud", "exp", "iat", "jti", "azp", "auth_time", "acr", "amr", "sid"],
  access_token: ["iss", "sub", "aud", "exp", "iat", "nbf", "jti", "client_id", "scope", "auth_time", "acr"],
  userinfo: ["iss", "sub", "aud"],
} as const satisfies Record<ClaimsOf, readonly string[]>;

const roles = `${iam}:org:project:roles`;
const everyRole = `${iam}:org:projects:roles`;
const metadata = `${iam}:user:metadata`;
const owner = `${iam}:user:resourceowner`;

/** Explains the claims of a token or response, and then those that an application may have expected. */
export function explainClaims(explained: Explained): readonly ClaimNote[] {
  const { kind, claims } = explained;
  const present = Object.keys(claims).map((name) => ({ name, ...explainPresent(explained, name) }));
  const known = kind === "access_token" ? [roles, metadata] : [...userClaimNames, roles, metadata];
  const missing = known
    .filter((name) => !Object.hasOwn(claims, name))
    .map((name) => ({ name, ...explainMissing(explained, name) }));
  return [...present, ...missing];
}

type Reason = Omit<ClaimNote, "name">;

function explainPresent({ kind, client, aliases }: Explained, name: string): Reason {
  const own = inOwnNamespace(name, aliases);
  if ((ofProtocol[kind] as readonly string[]).includes(name)) return { reason: "protocol" };
  if (name === "nonce" && kind !== "userinfo") return { reason: "request" };
  if (client.isRoleListOn && name === client.roleListClaim) return { reason: "setting", detail: "role_list_assertion" };
  if (client.isGroupListOn && name === client.groupListClaim) {
    return { reason: "setting", detail: "group_list_assertion" };
  }
  const scope = kind === "access_token" ? undefined : scopeOfUserClaim(name);
  if (scope !== undefined) return { reason: "scope", detail: scope };
  if (own === metadata) return { reason: "scope", detail: metadata };
  if (own.startsWith(`${owner}:`)) return { reason: "scope", detail: owner };
  if (own === `${iam}:org:id` || own === `${iam}:org:domain:primary`) return { reason: "scope", detail: own };
  if (!isRoleClaim(own)) return { reason: "extension" };
  return client.isProjectRoleAssertionOn
    ? { reason: "setting", detail: "project_role_assertion" }
    : { reason: "scope", detail: everyRole };
}

function explainMissing({ kind, scope, client }: Explained, name: string): Reason {
  if (name === roles) {
    const setting = roleSetting(kind, client);
    if (setting !== undefined) return { reason: "missing_setting", detail: setting };
    const areAsked = client.isProjectRoleAssertionOn || [...scope].some(isRoleScope);
    return areAsked ? { reason: "missing_value" } : { reason: "missing_scope", detail: everyRole };
  }
  const needed = name === metadata ? metadata : (scopeOfUserClaim(name) ?? "");
  if (!scope.has(needed)) return { reason: "missing_scope", detail: needed };
  const isLeftOut = kind === "id_token" && name !== metadata && !client.isIdTokenUserinfoAssertionOn;
  return isLeftOut ? { reason: "missing_setting", detail: "id_token_userinfo_assertion" } : { reason: "missing_value" };
}

/** Returns the setting that leaves roles out; undefined where they are in. */
function roleSetting(kind: ClaimsOf, client: Client): string | undefined {
  if (kind === "access_token") return client.isAccessTokenRoleAssertionOn ? undefined : "access_token_role_assertion";
  if (kind === "userinfo" || client.isIdTokenRoleAssertionOn) return undefined;
  return "id_token_role_assertion";
}

/** Returns the scope that asks for a claim about the user (OpenID Connect Core §5.4). */
function scopeOfUserClaim(name: string): "email" | "phone" | "profile" | undefined {
  if (!(userClaimNames as readonly string[]).includes(name)) return undefined;
  if (name.startsWith("email")) return "email";
  return name.startsWith("phone_number") ? "phone" : "profile";
}

const isRoleClaim = (name: string): boolean => name.startsWith(`${iam}:org:project:`) && name.endsWith(":roles");

const isRoleScope = (scope: string): boolean => scope === everyRole || scope.startsWith(`${iam}:org:project:role:`);

/** Returns the name of a claim in our own namespace, where it is in one of the aliases. */
function inOwnNamespace(name: string, aliases: readonly string[]): string {
  const alias = aliases.find((word) => name.startsWith(`urn:${word}:`));
  return alias === undefined ? name : `urn:service:${name.slice(`urn:${alias}:`.length)}`;
}
