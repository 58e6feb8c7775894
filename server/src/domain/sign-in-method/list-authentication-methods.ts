import type { Call } from "../../call/index.ts";
import type { Database, Reader } from "../../database/index.ts";
import { mayPrepareFor } from "../administrator-access/index.ts";
import { type FactorKind, listReadyFactors } from "../factor/index.ts";
import { hasIdentityLink } from "../identity-provider-link/index.ts";
import { authorizeUser, readUser } from "../user/index.ts";
import { listReadyCredentials } from "../webauthn-key/index.ts";
import { findPendingInvitation, type PendingInvitation } from "./find-pending-invitation.ts";

export type AuthenticationMethod = "password" | FactorKind | "idp";

/**
 * Lists the ready authentication methods of a user, for callers who may read the user. With a domain, passkeys and
 * security keys count only if one of them works there. Where there are none, or the account is yet to be set up, also
 * the invitation that waits.
 */
export async function listAuthenticationMethods(
  deps: { readonly database: Database },
  call: Call,
  { userId, domain }: { readonly userId: string; readonly domain?: string | undefined },
): Promise<{
  readonly methods: readonly AuthenticationMethod[];
  readonly invitation?: PendingInvitation | undefined;
}> {
  const { read } = deps.database;
  const user = await authorizeUser(read, call, userId, readUser);
  if (user.kind !== "human") return { methods: [] };
  const ready = await listReadyFactors(read, call.instanceId, userId);
  const kinds = domain === undefined ? ready : await onlyAt(read, call, { userId, domain, kinds: ready });
  const isLinked = await hasIdentityLink(read, call.instanceId, { mayPrepareFor }, userId);
  const hasBegun = user.state !== "initial" && (user.hasPassword || ready.length > 0 || isLinked);
  return {
    methods: [...(user.hasPassword ? ["password" as const] : []), ...kinds, ...(isLinked ? ["idp" as const] : [])],
    invitation: hasBegun ? undefined : await findPendingInvitation(read, call.instanceId, user),
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
