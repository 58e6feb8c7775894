import type { Tx } from "../../database/index.ts";
import { findIdentityProvider } from "../identity-provider/index.ts";
import type { PreparedDeps } from "../user/index.ts";
import type { NamedAccount } from "./identity-link.ts";
import { findAuthorOfProof, type ProofDeps, proveAccount } from "./prove-account.ts";
import { putIdentityLink } from "./put-identity-link.ts";

/**
 * Returns the step that links accounts to users whom the caller creates: asserted by the provider where a sign-in
 * application has its proof, otherwise by the caller, who has to be an administrator.
 */
export const createLinkNewUser =
  (deps: PreparedDeps & ProofDeps) =>
  async (
    tx: Tx,
    user: { readonly userId: string; readonly organizationId: string },
    account: NamedAccount,
  ): Promise<number> => {
    const speaker = (await findIdentityProvider(tx, tx.instanceId, account.identityProviderId))?.speaker;
    const isProven = speaker !== undefined && (await proveAccount(tx, deps, user.userId, { ...account, speaker }));
    const spoken = isProven ? { ...account, speaker, author: await findAuthorOfProof(tx, user) } : account;
    return putIdentityLink(tx, deps, user, { ...spoken, isForNewUser: true });
  };
