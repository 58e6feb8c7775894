import { decideAuthority, endOfFamily, parseScope, requireGranted, withoutAlias } from "../../authority/index.ts";
import type { Reader } from "../../database/index.ts";
import type { Client } from "../../domain/application/index.ts";
import type { CodeIssuance, NewFamily } from "../../domain/token/index.ts";
import { type GrantContext, type Issuance, inContext } from "./grant.ts";

/** What a code is redeemed for. */
export interface RedeemedCode {
  readonly issuance: CodeIssuance;
  readonly client: Client;
  readonly familyId: string;
  /** The resources that the access token is for, of those that were granted; empty for all. */
  readonly resources: readonly string[];
}

/** Returns the tokens for what a code stands for, as the authority decides now. */
export async function issuanceOfCode(
  reader: Reader,
  context: GrantContext,
  { issuance, client, familyId, resources }: RedeemedCode,
): Promise<Issuance & { readonly family: { readonly kind: "new"; readonly family: NewFamily } }> {
  const granted = issuance.resources ?? [];
  requireGranted(resources, granted);
  const authority = await decideAuthority(
    inContext(reader, context),
    { client, userId: issuance.userId },
    { scope: issuance.scope, resources: granted },
  );
  const scope = withoutAlias(parseScope(authority.scope), context.deps.namespaceAliases);
  const token = authority.tokenFor(resources);
  return {
    family: {
      kind: "new",
      family: {
        familyId,
        clientId: client.clientId,
        applicationId: client.applicationId,
        projectId: client.projectId,
        userId: issuance.userId,
        sessionId: issuance.sessionId,
        scope: authority.scope,
        // The granted resources stay with the family: a refresh may request another part of them.
        audience: authority.audience,
        authTime: issuance.authTime,
        authenticationMethods: issuance.authenticationMethods,
        acr: issuance.acr,
        nonce: issuance.nonce,
        claims: issuance.claims,
        actor: undefined,
        expiresAt: endOfFamily("renewable", context.lifetimes, context.call),
      },
    },
    ...token,
    withRefreshToken: scope.has("offline_access") && client.grantTypes.has("refresh_token"),
    withIdToken: scope.has("openid"),
  };
}
