import { decideForAccount, endOfFamily, readScopes } from "../../authority/index.ts";
import type { Instant } from "../../base/clock.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import type { ServiceAccount } from "../../domain/user/index.ts";
import { type GrantContext, type Issuance, inContext } from "./grant.ts";

/**
 * Issues tokens to a service account for itself. Their client is named by the id of the account and not by its name,
 * which its owner chooses. An id that is also that of a client or project gets no tokens, so that none looks like one
 * of theirs.
 */
export async function issueToServiceAccount(
  context: GrantContext,
  account: ServiceAccount,
  input: {
    readonly scope: string | undefined;
    readonly resources: readonly string[];
    /** The projects that the scope names, where they were asked for with the account. */
    readonly projects?: Promise<readonly string[]> | undefined;
    readonly authenticationMethods: readonly string[];
    /** When the key that the account proved ends; absent for a secret, which never does. */
    readonly credentialExpiresAt?: Instant;
    readonly mayHaveIdToken: boolean;
  },
): Promise<Issuance> {
  const { call, deps, lifetimes } = context;
  if (account.isIdTaken) {
    throw new OAuthError("unauthorized_client", "the id of the account is that of a client or project");
  }
  const token = await decideForAccount(inContext(deps.database.read, context), account, input);
  const { scope, audience } = token;
  return {
    family: {
      kind: "new",
      family: {
        clientId: account.userId,
        applicationId: undefined,
        projectId: undefined,
        userId: account.userId,
        sessionId: undefined,
        scope,
        audience,
        authTime: call.now,
        authenticationMethods: input.authenticationMethods,
        nonce: undefined,
        actor: undefined,
        credentialExpiresAt: input.credentialExpiresAt,
        expiresAt: endOfFamily("account", lifetimes, call),
      },
    },
    ...token,
    withRefreshToken: false,
    withIdToken: input.mayHaveIdToken && readScopes(scope, deps.namespaceAliases).has("openid"),
  };
}
