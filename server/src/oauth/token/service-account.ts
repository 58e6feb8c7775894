import type { ServiceAccount } from "../../domain/user/index.ts";
import { audienceOfScope } from "../audience.ts";
import { OAuthError } from "../error.ts";
import { audienceOfResources } from "../resource.ts";
import { formatScope, iam, isKnownScope, parseScope, withoutAlias } from "../scope.ts";
import type { GrantContext, Issuance } from "./grant.ts";

/**
 * Issues tokens to a service account for itself. The audience comes only from scopes and resources; without any, a
 * token names its own client; that is what a request without scope gets (RFC 6749 §3.3). Scopes of organizations that the account does not belong to are dropped silently, like
 * unknown ones.
 */
export function issueToServiceAccount(
  { call, deps, issuer, systemProjectId, lifetimes }: GrantContext,
  account: ServiceAccount,
  input: {
    readonly scope: string | undefined;
    readonly resources: readonly string[];
    readonly authenticationMethods: readonly string[];
    readonly mayHaveIdToken: boolean;
  },
): Issuance {
  const wanted = [...parseScope(input.scope ?? "")];
  const kept = wanted.filter((token) => isGranted(withoutAlias([token], deps.namespaceAliases), account));
  if (input.scope !== undefined && kept.length === 0)
    throw new OAuthError("invalid_scope", "no scope of the request is known");
  const own = withoutAlias(kept, deps.namespaceAliases);
  const asked = [
    ...audienceOfScope(own, systemProjectId),
    ...audienceOfResources(input.resources, { issuer, systemProjectId }),
  ];
  const audience = asked.length > 0 ? [...new Set(asked)] : [account.loginName];
  const scope = formatScope(kept);
  return {
    family: {
      kind: "new",
      family: {
        clientId: account.loginName,
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
        expiresAt: call.now + lifetimes.accessTokenLifetimeSeconds * 1000,
      },
    },
    scope,
    audience,
    format: account.accessTokenFormat,
    withRefreshToken: false,
    withIdToken: input.mayHaveIdToken && own.has("openid"),
  };
}

function isGranted(scope: ReadonlySet<string>, account: ServiceAccount): boolean {
  const [token = ""] = scope;
  if (!isKnownScope(token) || token === "offline_access") return false;
  const organization = `${iam}:org:id:`;
  const domain = `${iam}:org:domain:primary:`;
  if (token.startsWith(organization)) return token.slice(organization.length) === account.organizationId;
  if (token.startsWith(domain)) return token.slice(domain.length) === account.primaryDomain;
  return true;
}
