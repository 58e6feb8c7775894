import { Fault } from "../../base/fault.ts";
import { getIdentityProvider, type IdentityProvider } from "../../domain/identity-provider/index.ts";
import { samlAddressesOf } from "../../domain/identity-provider-client/index.ts";
import {
  findOrganization,
  listOrganizationDomains,
  type OrganizationDomain,
  recordOfDomain,
} from "../../domain/organization/index.ts";
import { SetupLinkEnded, type SetupSession } from "../../domain/setup-link/index.ts";
import type { WebResponse } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { pathTo, show } from "../visit/answer.ts";
import type { Visit } from "../visit/visit.ts";
import { type DomainView, type ProviderView, type TaskProblem, tasksPage } from "./tasks-view.ts";

// More than a customer proves; the others are not hidden from administrators.
const mostDomains = 50;

/** Answers with the page of a link: what it is for, and how far that is. */
export async function drawTasks(
  deps: PageDeps,
  visit: Visit,
  session: SetupSession,
  { problem }: { readonly problem?: TaskProblem } = {},
): Promise<WebResponse> {
  const { organizationId, parts } = session.link;
  const organization = await findOrganization(deps.database.read, visit.call.instanceId, organizationId);
  if (organization === undefined) throw new SetupLinkEnded();
  const test = visit.query.get("test");
  const chosen = problem?.kind ?? (visit.query.get("kind") === "saml" ? "saml" : "oidc");
  const domains = parts.includes("domain") ? await findDomains(deps, visit, session) : undefined;
  const provider = parts.includes("identity_provider") ? await viewProvider(deps, visit, session) : undefined;
  return show(
    deps,
    visit,
    (context) =>
      tasksPage(context, {
        organizationName: organization.name,
        domains,
        provider,
        kind: chosen,
        outcome: test === "ok" || test === "failed" ? test : undefined,
        problem,
      }),
    { isDecision: true, isAddressable: problem === undefined },
  );
}

async function findDomains(deps: PageDeps, visit: Visit, { link, caller }: SetupSession): Promise<DomainView[]> {
  const { organizationId } = link;
  const { domains } = await listOrganizationDomains(
    deps,
    { ...visit.call, caller },
    {
      organizationId,
      filters: [],
      orderBy: "created_at",
      // One page: those that are being set up are the newest.
      isDescending: true,
      page: { offset: 0, limit: mostDomains },
    },
  );
  return domains.filter(({ isPrimary }) => !isPrimary).map(toDomainView);
}

const toDomainView = (domain: OrganizationDomain): DomainView => ({
  domain: domain.domain,
  isVerified: domain.isVerified,
  record: domain.isVerified ? undefined : recordOfDomain(domain),
});

/** Returns the provider of the link, as long as it is there. */
export async function findProviderOf(
  deps: PageDeps,
  { call }: Visit,
  { link, caller }: SetupSession,
): Promise<IdentityProvider | undefined> {
  const { identityProviderId, organizationId: ownerOrganizationId } = link;
  if (identityProviderId === undefined || !link.parts.includes("identity_provider")) return undefined;
  try {
    return await getIdentityProvider(deps, { ...call, caller }, { ownerOrganizationId, identityProviderId });
  } catch (error) {
    if (error instanceof Fault && error.code === "not_found") return undefined;
    throw error;
  }
}

async function viewProvider(deps: PageDeps, visit: Visit, session: SetupSession): Promise<ProviderView> {
  const { origin } = visit.request.instance;
  const { instanceId } = visit.call;
  const { organizationId } = session.link;
  const callback = `${origin}/idps/callback/${organizationId}`;
  const found = await findProviderOf(deps, visit, session);
  if (found === undefined) return { step: "absent", callback };
  const { configuration, identityProviderId, name } = found;
  const { settings } = await deps.settings.get("login", { instanceId, organizationId });
  const common = {
    step: "present",
    name,
    isAllowed: settings.allowExternalIdp,
    isOffered: settings.identityProviderIds.includes(identityProviderId),
    stopped:
      found.state === "active"
        ? undefined
        : deps.texts.translate(visit.call.language, "fault.identity_provider.stopped", {}),
    signInHref: pathTo("/ui/login", { account: "other", organization: organizationId }),
  } as const;
  if (configuration.kind === "saml") {
    const { entityId, consumer } = samlAddressesOf(origin, identityProviderId);
    return { ...common, kind: "saml", entityId, consumer, metadataUrl: configuration.metadataUrl };
  }
  // An administrator gave it the form of a known provider, which has fields of its own.
  if (configuration.kind !== "oidc") return { ...common, kind: "other" };
  const { issuer, clientId } = configuration;
  return { ...common, kind: "oidc", callback, issuer, clientId };
}
