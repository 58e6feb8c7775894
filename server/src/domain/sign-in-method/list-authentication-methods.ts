import type { Call } from "../../call/index.ts";
import type { Database, Reader } from "../../database/index.ts";
import { mayPrepareFor } from "../administrator-access/index.ts";
import { type FactorKind, listReadyFactors } from "../factor/index.ts";
import { hasIdentityLink } from "../identity-provider-link/index.ts";
import { authorizeUser, readUser } from "../user/index.ts";
import { listReadyCredentials } from "../webauthn-key/index.ts";

export type AuthenticationMethod = "password" | FactorKind | "idp";

/**
 * Lists the ready authentication methods of a user, for callers who may read the user. With a domain, passkeys and
 * security keys count only if one of them works there.
 */
export async function listAuthenticationMethods(
  deps: { readonly database: Database },
  call: Call,
  { userId, domain }: { readonly userId: string; readonly domain?: string | undefined },
): Promise<{ readonly methods: readonly AuthenticationMethod[] }> {
  const { read } = deps.database;
  const user = await authorizeUser(read, call, userId, readUser);
  if (user.kind !== "human") return { methods: [] };
  const ready = await listReadyFactors(read, call.instanceId, userId);
  const kinds = domain === undefined ? ready : await onlyAt(read, call, { userId, domain, kinds: ready });
  const isLinked = await hasIdentityLink(read, call.instanceId, { mayPrepareFor }, userId);
  return {
    methods: [...(user.hasPassword ? ["password" as const] : []), ...kinds, ...(isLinked ? ["idp" as const] : [])],
  };
}

async function onlyAt(
  reader: Reader,
  { instanceId }: Call,
  {
    userId,
    domain,
    kinds,
  }: { readonly userId: string; readonly domain: string; readonly kinds: readonly FactorKind[] },
): Promise<FactorKind[]> {
  const keys = await listReadyCredentials(reader, instanceId, { userId, relyingPartyId: domain });
  const isKey = (kind: FactorKind): boolean => kind === "passkey" || kind === "u2f";
  return kinds.filter((kind) => !isKey(kind) || keys.some((key) => key.kind === kind));
}
