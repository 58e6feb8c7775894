import { isAudienceTaken } from "../../domain/application/index.ts";
import { listAudienceProjects } from "../../domain/project/index.ts";
import type { ServiceAccount } from "../../domain/user/index.ts";
import { audienceOfScope } from "../audience.ts";
import { resourcesOfAccount } from "../authority/resources.ts";
import { OAuthError } from "../error.ts";
import { isOwnResource } from "../resource.ts";
import { formatScope, iam, isKnownScope, isResourceScope, parseScope, withoutAlias } from "../scope.ts";
import type { GrantContext, Issuance } from "./grant.ts";

/**
 * Issues tokens to a service account for itself. Their client is named by the id of the account and not by its name,
 * which its owner chooses; an id that is also that of a client or project gets no tokens, so that none looks like one of
 * theirs. The audience comes only from scopes and resources; without any, a token names its own client,
 * which is what a request without scope gets (RFC 6749 §3.3). Resources are registered, in projects of the organization
 * of the account or granted to it: there is no user who could consent to others. Scopes of organizations that the account
 * does not belong to are dropped silently, like unknown ones.
 */
export async function issueToServiceAccount(
  { call, deps, issuer, systemProjectId, lifetimes }: GrantContext,
  account: ServiceAccount,
  input: {
    readonly scope: string | undefined;
    readonly resources: readonly string[];
    readonly authenticationMethods: readonly string[];
    readonly mayHaveIdToken: boolean;
  },
): Promise<Issuance> {
  if (await isAudienceTaken(deps.database.read, call.instanceId, account.userId)) {
    throw new OAuthError("unauthorized_client", "the id of the account is that of a client or project");
  }
  const resources = await resourcesOfAccount(
    { reader: deps.database.read, place: { instanceId: call.instanceId, issuer } },
    account,
    input.resources,
  );
  const wanted = [...parseScope(input.scope ?? "")];
  const kept = wanted.filter((token) =>
    isResourceScope(token)
      ? resources.mayHave(token)
      : isGranted(withoutAlias([token], deps.namespaceAliases), account),
  );
  if (input.scope !== undefined && kept.length === 0)
    throw new OAuthError("invalid_scope", "no scope of the request is known");
  const own = withoutAlias(kept, deps.namespaceAliases);
  const projectIds = [...new Set(audienceOfScope(own, systemProjectId))];
  await requireProjects(deps, call.instanceId, account, projectIds);
  const isForApis = input.resources.some((resource) => isOwnResource(resource, issuer));
  const asked = [...projectIds, ...resources.uris, ...(isForApis ? [systemProjectId] : [])];
  const audience = asked.length > 0 ? [...new Set(asked)] : [account.userId];
  const scope = formatScope(kept);
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
        expiresAt: call.now + lifetimes.accessTokenLifetimeSeconds * 1000,
      },
    },
    scope,
    audience,
    format: resources.format ?? account.accessTokenFormat,
    ...(resources.lifetime !== undefined && { longest: resources.lifetime }),
    withRefreshToken: false,
    withIdToken: input.mayHaveIdToken && own.has("openid"),
  };
}

// Any other text would be an audience of the account's choice, such as the client id of a stranger.
async function requireProjects(
  { database }: GrantContext["deps"],
  instanceId: string,
  { organizationId }: ServiceAccount,
  projectIds: readonly string[],
): Promise<void> {
  if (projectIds.length === 0) return;
  const known = await listAudienceProjects(database.read, instanceId, { projectIds, organizationId });
  if (known.length < projectIds.length) {
    throw new OAuthError("invalid_scope", "the scope names a project that does not exist");
  }
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
