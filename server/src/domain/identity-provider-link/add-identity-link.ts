import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { findIdentityProvider } from "../identity-provider/index.ts";
import {
  type AuthorizeDeps,
  holdAuthorizedUser,
  type MayVouchFor,
  type PreparedDeps,
  requireHuman,
  writeOwnSignInMethods,
} from "../user/index.ts";
import { type NamedAccount, providerNotFound, providerNotTrusted } from "./identity-link.ts";
import { findAuthorOfProof, type ProofDeps, proveAccount } from "./prove-account.ts";
import { putIdentityLink } from "./put-identity-link.ts";

export interface AddLinkDeps extends AuthorizeDeps, PreparedDeps, ProofDeps {
  readonly database: Database;
  readonly mayVouchFor: MayVouchFor;
}

/**
 * Links an account at a provider to a user: for callers who may write users, and for users themselves once they proved
 * that the account is theirs (CVE-2026-105207). The provider must be able to vouch for the user. Linking an account
 * again resumes its suspended link.
 */
export function addIdentityLink(
  deps: AddLinkDeps,
  call: Call,
  { userId, ...account }: NamedAccount & { readonly userId: string },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, userId, writeOwnSignInMethods(deps)));
    const provider = await findIdentityProvider(tx, tx.instanceId, account.identityProviderId);
    if (provider === undefined) throw providerNotFound();
    const { speaker } = provider;
    const isProven = await proveAccount(tx, deps, userId, { ...account, speaker });
    const spoken = isProven ? { ...account, speaker, author: await findAuthorOfProof(tx, user) } : account;
    const sequence = await putIdentityLink(tx, deps, user, { ...spoken, isForNewUser: false });
    // After the general rules, whose refusals say more.
    if (!(await deps.mayVouchFor(tx, tx.instanceId, provider, user))) throw providerNotTrusted("idpLink.idpId");
    return { ...user.details, sequence, changedAt: tx.now };
  });
}
