import { seekProjects } from "../../../authority/index.ts";
import { OAuthError } from "../../../base/oauth-error.ts";
import { matchesHash } from "../../../base/secret.ts";
import { findServiceAccount, type ServiceAccount } from "../../../domain/user/index.ts";
import { readPresentedClient } from "../../client-authentication/presented-client.ts";
import type { Parameters } from "../../parameters.ts";
import { readResources } from "../../read-resources.ts";
import { type Grant, type GrantContext, inContext } from "../grant.ts";
import { issueToServiceAccount } from "../service-account.ts";

/**
 * Grant `client_credentials` (RFC 6749 §4.4): a service account authenticates with its username and secret, in a Basic
 * header or in the body. There is no refresh token and no ID token.
 */
export const clientCredentials: Grant = {
  grantType: "client_credentials",
  authentication: "own",
  prepare: async (context, parameters, authorization) => {
    const scope = parameters.get("scope");
    const projects = seekProjects(inContext(context.deps.database.read, context), scope);
    const account = await authenticateServiceAccount(context, parameters, authorization);
    const issuance = await issueToServiceAccount(context, account, {
      // RFC 6749 §3.3: without a scope, the token is for its own client and nothing else.
      scope,
      resources: readResources(parameters),
      projects,
      authenticationMethods: ["pwd"],
      mayHaveIdToken: false,
    });
    return { clientId: account.userId, decide: async () => issuance };
  },
};

async function authenticateServiceAccount(
  { deps, call }: GrantContext,
  parameters: Parameters,
  authorization: string | undefined,
): Promise<ServiceAccount> {
  const presented = readPresentedClient(authorization, parameters);
  if (presented?.kind !== "basic" && presented?.kind !== "post") {
    throw new OAuthError("invalid_client", "client authentication by secret is needed");
  }
  const account = await findServiceAccount(deps.database.read, call.instanceId, presented.clientId);
  if (account?.secretHash === undefined || !matchesHash(presented.secret, account.secretHash)) {
    await refuseApplication({ deps, call }, presented.clientId, presented.secret.reveal());
    throw new OAuthError("invalid_client", "client authentication failed");
  }
  return account;
}

// An authenticated application learns that this grant is not for it; all other callers learn nothing.
async function refuseApplication(
  { deps, call }: Pick<GrantContext, "deps" | "call">,
  clientId: string,
  secret: string,
): Promise<void> {
  const client = await deps.clients.find(call.instanceId, clientId);
  if (client?.secretHash === undefined || !client.isActive || !matchesHash(secret, client.secretHash)) return;
  throw new OAuthError("unauthorized_client", "client credentials are for service accounts");
}
