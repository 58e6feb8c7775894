import { iam, parseScope, scopeValues, withoutAlias } from "../../authority/index.ts";
import type { Reader } from "../../database/index.ts";
import { readMetadata } from "../../domain/metadata/index.ts";
import { findOrganization } from "../../domain/organization/index.ts";
import { urlOfAvatar } from "../../domain/picture/index.ts";
import { findUser, type User } from "../../domain/user/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { type ListRequest, listClaims } from "./list-claims.ts";
import { inNamespaces } from "./namespace-claims.ts";
import { reservedClaims } from "./reserved-claims.ts";
import { type RoleRequest, roleClaims } from "./role-claims.ts";
import { namedUserClaims, userClaims } from "./user-claims.ts";
import { asToldTo } from "./vouch.ts";

export interface DescriptionRequest {
  readonly instanceId: string;
  readonly userId: string;
  /** Scope of the token, with the client's namespace word. */
  readonly scope: string;
  /** Whether profile, email and phone claims are included. */
  readonly withUserClaims: boolean;
  /** Claims that were requested by name, besides those of the scope. */
  readonly claimNames?: readonly string[] | undefined;
  /** The requested roles; absent for none. */
  readonly roles: Omit<RoleRequest, "userId" | "scope"> | undefined;
  /** Lists of names of roles and groups; absent for none. */
  readonly lists: ListRequest | undefined;
  /** Organizations that read the claims. */
  readonly organizationIds: ReadonlySet<string>;
}

export interface Description {
  readonly user: User;
  readonly claims: Record<string, unknown>;
}

/**
 * Returns the claims of a token, userinfo or introspection about a user; undefined when the user was deleted. Reads
 * only what the scope requires.
 */
export async function describeUser(deps: OAuthDeps, request: DescriptionRequest): Promise<Description | undefined> {
  const { read } = deps.database;
  const { instanceId, userId } = request;
  const scope = withoutAlias(parseScope(request.scope), deps.namespaceAliases);
  // In parallel, because each is a round trip on PostgreSQL.
  const [user, roles, lists] = await Promise.all([
    findUser(read, instanceId, userId),
    request.roles && roleClaims(read, instanceId, { ...request.roles, userId, scope }),
    request.lists && listClaims(read, instanceId, { ...request.lists, userId, scope }),
  ]);
  if (user === undefined) return undefined;
  const organization = wantsOrganization(scope)
    ? await findOrganization(read, instanceId, user.organizationId)
    : undefined;
  const metadata = await findMetadata(read, request, scope);
  const file = user.kind === "human" ? user.avatarFile : undefined;
  const picture = file === undefined ? "" : urlOfAvatar(await deps.originOf(instanceId), file);
  const tells = request.withUserClaims || (request.claimNames ?? []).length > 0;
  const told = { user: tells ? await asToldTo(deps, request, user) : user, picture };
  const claims = {
    ...(request.withUserClaims && userClaims(told, scope)),
    ...(request.claimNames && namedUserClaims(told, request.claimNames)),
    ...reservedClaims(scope, { organization, metadata }),
    ...roles,
    ...lists,
  };
  return { user, claims: await inNamespaces(deps, instanceId, claims) };
}

/**
 * Returns the same claims of a user who is known to exist, without reading them; undefined when some of the claims
 * depend on what is read.
 */
export async function describeKnownUser(
  deps: OAuthDeps,
  request: DescriptionRequest,
): Promise<Record<string, unknown> | undefined> {
  const { read } = deps.database;
  const { instanceId, userId } = request;
  const scope = withoutAlias(parseScope(request.scope), deps.namespaceAliases);
  if (request.withUserClaims || (request.claimNames ?? []).length > 0 || wantsOrganization(scope)) return undefined;
  const [roles, lists, metadata] = await Promise.all([
    request.roles && roleClaims(read, instanceId, { ...request.roles, userId, scope }),
    request.lists && listClaims(read, instanceId, { ...request.lists, userId, scope }),
    findMetadata(read, request, scope),
  ]);
  const claims = { ...reservedClaims(scope, { organization: undefined, metadata }), ...roles, ...lists };
  return inNamespaces(deps, instanceId, claims);
}

const wantsOrganization = (scope: ReadonlySet<string>): boolean =>
  scope.has(`${iam}:user:resourceowner`) ||
  ["org:id:", "org:domain:primary:"].some((kind) => scopeValues(scope, kind).length > 0);

async function findMetadata(
  reader: Reader,
  { instanceId, userId }: DescriptionRequest,
  scope: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (!scope.has(`${iam}:user:metadata`)) return new Map();
  return readMetadata(reader, instanceId, { type: "user", id: userId });
}
