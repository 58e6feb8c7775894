import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { IDPState } from "@doorward/api/service/idp/v1/idp_pb";
import { IDPOwnerType } from "@doorward/api/service/idp/v1/query_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { makeClosed, settle } from "./close-entry.ts";
import type { Entries, Entry, ImportedOrganization } from "./imported.ts";
import { pagesOf } from "./reader.ts";
import type { Run } from "./run.ts";

const management = ManagementService.method;

/** The organization, its domains, settings and identity providers. */
export const organizationEntries: readonly Entries[] = [
  ({ orgId, org }) =>
    org === undefined
      ? []
      : one("org", orgId, async ({ performForInstance }) => {
          await performForInstance(OrganizationService.method.addOrganization, {
            name: org.name,
            organizationId: orgId,
          });
        }),
  ({ orgId, domainPolicy }) =>
    domainPolicy === undefined
      ? []
      : one("domain_policy", orgId, async ({ performForInstance }) => {
          await performForInstance(AdminService.method.addCustomDomainPolicy, { ...domainPolicy, orgId });
        }),
  ({ orgId, domains }) =>
    domains.map(({ domainName: domain, isPrimary }) => ({
      type: "domain",
      id: domain,
      perform: async ({ perform }, done) => {
        const added = await settle(perform(management.addOrgDomain, { domain }, orgId));
        if (isPrimary && (added === undefined || added.refusal.isExisting)) {
          await perform(management.setPrimaryOrgDomain, { domain }, orgId);
        }
        if (added !== undefined) throw added;
        done.domains.push(domain);
      },
    })),
  ({ orgId, labelPolicy }) =>
    labelPolicy === undefined
      ? []
      : one("label_policy", orgId, async ({ perform }) => {
          await perform(management.addCustomLabelPolicy, labelPolicy, orgId);
          await perform(management.activateCustomLabelPolicy, {}, orgId);
        }),
  ({ orgId, lockoutPolicy }) =>
    lockoutPolicy === undefined
      ? []
      : one("lockout_policy", orgId, async ({ perform }) => {
          await perform(management.addCustomLockoutPolicy, lockoutPolicy, orgId);
        }),
  ({ orgId, passwordComplexityPolicy }) =>
    passwordComplexityPolicy === undefined
      ? []
      : one("password_complexity_policy", orgId, async ({ perform }) => {
          await perform(management.addCustomPasswordComplexityPolicy, passwordComplexityPolicy, orgId);
        }),
  ({ orgId, privacyPolicy }) =>
    privacyPolicy === undefined
      ? []
      : one("privacy_policy", orgId, async ({ perform }) => {
          await perform(management.addCustomPrivacyPolicy, privacyPolicy, orgId);
        }),
  ({ orgId, oidcIdps }) =>
    oidcIdps.map(({ idpId, idp, state }) => ({
      type: "oidc_idp",
      id: idpId,
      perform: async (run, done) => {
        if (idp === undefined) return run.refuse("data.not_imported");
        const add = async () => (await run.perform(management.addOrgOIDCIDP, idp, orgId)).idpId;
        done.oidcIpds.push(await addProvider(run, { orgId, idpId, name: idp.name, state, add }));
      },
    })),
  ({ orgId, jwtIdps }) =>
    jwtIdps.map(({ idpId, idp, state }) => ({
      type: "jwt_idp",
      id: idpId,
      perform: async (run, done) => {
        if (idp === undefined) return run.refuse("data.not_imported");
        const add = async () => (await run.perform(management.addOrgJWTIDP, idp, orgId)).idpId;
        done.jwtIdps.push(await addProvider(run, { orgId, idpId, name: idp.name, state, add }));
      },
    })),
  ({ orgId, loginPolicy }) =>
    loginPolicy === undefined
      ? []
      : one("login_policy", orgId, async ({ perform, ids }) => {
          const idps = loginPolicy.idps.map((idp) => ({ ...idp, idpId: ids.of(orgId, idp.idpId) }));
          await perform(management.addCustomLoginPolicy, { ...loginPolicy, idps }, orgId);
        }),
  ({ orgId, offeredIdpIds }) =>
    offeredIdpIds.flatMap((idpId) => offerEntry(orgId, { idpId, ownerType: IDPOwnerType.IDP_OWNER_TYPE_ORG })),
  firstFormatEntries,
];

/** Offers a provider on the sign-in page of an organization. */
const offerEntry = (
  orgId: string,
  { idpId, ownerType }: { readonly idpId: string; readonly ownerType: IDPOwnerType },
): readonly Entry[] =>
  one("idp", idpId, async ({ perform, ids }) => {
    await perform(management.addIDPToLoginPolicy, { idpId: ids.of(orgId, idpId), ownerType }, orgId);
  });

/** Lists that the first format has beside the login policy. */
function firstFormatEntries(organization: ImportedOrganization): readonly Entry[] {
  const { orgId, secondFactors = [], multiFactors = [], idps = [] } = organization;
  return [
    ...secondFactors.flatMap(({ type }) =>
      one("second_factor", `${type}`, async ({ perform }) => {
        await perform(management.addSecondFactorToLoginPolicy, { type }, orgId);
      }),
    ),
    ...multiFactors.flatMap(({ type }) =>
      one("multi_factor", `${type}`, async ({ perform }) => {
        await perform(management.addMultiFactorToLoginPolicy, { type }, orgId);
      }),
    ),
    ...idps.flatMap((idp) => offerEntry(orgId, idp)),
  ];
}

interface NewProvider {
  readonly orgId: string;
  readonly idpId: string;
  readonly name: string;
  readonly state: IDPState;
  readonly add: () => Promise<string>;
}

/** Adds a provider, active or inactive, notes its id, and returns it. */
async function addProvider(run: Run, provider: NewProvider): Promise<string> {
  const { orgId, idpId, state, add } = provider;
  const make = async () => {
    await refuseKnownProvider(run, provider);
    const newId = await add();
    run.ids.set(orgId, idpId, newId);
    return newId;
  };
  if (state !== IDPState.IDP_STATE_INACTIVE) return make();
  return makeClosed({
    make,
    close: (id) => run.performToEnd(management.deactivateOrgIDP, { idpId: id }, orgId),
    remove: (id) => run.performToEnd(management.deleteProvider, { id }, orgId),
    existing: () => run.ids.of(orgId, idpId),
  });
}

/** Refuses a provider whose name one of the organization has: names are all that a repeated import can know it by. */
async function refuseKnownProvider(
  run: Run,
  { orgId, idpId, name }: Pick<NewProvider, "orgId" | "idpId" | "name">,
): Promise<void> {
  for await (const page of pagesOf((query) => run.perform(management.listOrgIDPs, { query }, orgId))) {
    const own = page.filter(({ owner }) => owner === IDPOwnerType.IDP_OWNER_TYPE_ORG);
    const known = own.find((provider) => provider.name === name);
    if (known === undefined) continue;
    run.ids.set(orgId, idpId, known.id);
    run.refuse("request.already_exists");
  }
}

const one = (type: string, id: string, perform: Entry["perform"]): readonly Entry[] => [{ type, id, perform }];
