import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DataOrgSchema } from "@doorward/api/service/admin/v1/data_pb";
import { AddCustomDomainPolicyRequestSchema } from "@doorward/api/service/admin/v1/policy_domain_pb";
import type { IDP } from "@doorward/api/service/idp/v1/idp_pb";
import type { ProviderConfig } from "@doorward/api/service/idp/v1/provider_pb";
import { IDPOwnerType } from "@doorward/api/service/idp/v1/query_pb";
import { AddOrgJWTIDPRequestSchema, AddOrgOIDCIDPRequestSchema } from "@doorward/api/service/management/v1/idp_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { AddCustomLabelPolicyRequestSchema } from "@doorward/api/service/management/v1/policy_label_pb";
import { AddCustomLoginPolicyRequestSchema } from "@doorward/api/service/management/v1/policy_login_pb";
import {
  AddCustomLockoutPolicyRequestSchema,
  AddCustomPasswordComplexityPolicyRequestSchema,
} from "@doorward/api/service/management/v1/policy_password_pb";
import { AddCustomPrivacyPolicyRequestSchema } from "@doorward/api/service/management/v1/policy_privacy_pb";
import type { Reader } from "./reader.ts";
import { sameFields } from "./same-fields.ts";

const management = ManagementService.method;

type Exported = Omit<MessageInitShape<typeof DataOrgSchema>, "$typeName" | "$unknown">;

/** Returns the domains of an organization, the settings that are its own, and its providers without their secrets. */
export async function exportSettings({ perform, readAll }: Reader, orgId: string): Promise<Exported> {
  const domains = await readAll((query) => perform(management.listOrgDomains, { query }, orgId));
  const { policy: domain } = await perform(management.getDomainPolicy, {}, orgId);
  const { policy: label } = await perform(management.getLabelPolicy, {}, orgId);
  const { policy: lockout } = await perform(management.getLockoutPolicy, {}, orgId);
  const { policy: complexity } = await perform(management.getPasswordComplexityPolicy, {}, orgId);
  const { policy: privacy } = await perform(management.getPrivacyPolicy, {}, orgId);
  const listed = await readAll((query) => perform(management.listOrgIDPs, { query }, orgId));
  const own = listed.filter(({ owner }) => owner === IDPOwnerType.IDP_OWNER_TYPE_ORG);
  const found = own.length === 0 ? [] : await readAll((query) => perform(management.listProviders, { query }, orgId));
  const templates = new Map(found.map(({ id, config }) => [id, config]));
  const exported: Exported = {
    domains: domains.map(({ domainName, isVerified, isPrimary, validationType }) => ({
      orgId,
      domainName,
      isVerified,
      isPrimary,
      validationType,
    })),
    oidcIdps: own.flatMap((provider) => toOidcProvider(provider, templates.get(provider.id))),
    jwtIdps: own.flatMap((provider) => toJwtProvider(provider, templates.get(provider.id))),
  };
  Object.assign(exported, await readLogin({ perform, readAll }, orgId, own));
  if (isOwn(domain)) exported.domainPolicy = sameFields(AddCustomDomainPolicyRequestSchema, domain, { orgId });
  if (isOwn(label)) exported.labelPolicy = sameFields(AddCustomLabelPolicyRequestSchema, label, {});
  if (isOwn(privacy)) exported.privacyPolicy = sameFields(AddCustomPrivacyPolicyRequestSchema, privacy, {});
  if (isOwn(complexity)) {
    exported.passwordComplexityPolicy = sameFields(AddCustomPasswordComplexityPolicyRequestSchema, complexity, {});
  }
  if (isOwn(lockout)) {
    exported.lockoutPolicy = sameFields(AddCustomLockoutPolicyRequestSchema, lockout, {
      maxPasswordAttempts: Number(lockout.maxPasswordAttempts),
      maxOtpAttempts: Number(lockout.maxOtpAttempts),
    });
  }
  return exported;
}

/** Returns the login settings of an organization, or which exported providers it offers beside its instance's. */
async function readLogin(
  { perform }: Reader,
  orgId: string,
  own: readonly IDP[],
): Promise<Pick<Exported, "loginPolicy" | "offeredIdpIds">> {
  const { policy } = await perform(management.getLoginPolicy, {}, orgId);
  if (policy === undefined) return {};
  if (policy.isDefault) {
    const exportedIds = new Set(own.filter(({ config }) => config.case !== undefined).map(({ id }) => id));
    return { offeredIdpIds: policy.idps.map(({ idpId }) => idpId).filter((id) => exportedIds.has(id)) };
  }
  const ownIds = new Set(own.map(({ id }) => id));
  const idps = policy.idps.map(({ idpId }) => ({
    idpId,
    ownerType: ownIds.has(idpId) ? IDPOwnerType.IDP_OWNER_TYPE_ORG : IDPOwnerType.IDP_OWNER_TYPE_SYSTEM,
  }));
  return { loginPolicy: sameFields(AddCustomLoginPolicyRequestSchema, { ...policy, idps: [] }, { idps }) };
}

const isOwn = <Policy extends { readonly isDefault: boolean }>(policy: Policy | undefined): policy is Policy =>
  policy?.isDefault === false;

// The message of the older methods has not all that closes a provider.
function toOidcProvider({ id: idpId, state, name, stylingType, autoRegister, config }: IDP, template?: ProviderConfig) {
  if (config.case !== "oidcConfig") return [];
  const source = { ...template?.config.value, ...config.value };
  const own = { name, stylingType, autoRegister, ...optionsOf(template) };
  return [{ idpId, state, idp: sameFields(AddOrgOIDCIDPRequestSchema, source, own) }];
}

function toJwtProvider({ id: idpId, state, name, stylingType, autoRegister, config }: IDP, template?: ProviderConfig) {
  if (config.case !== "jwtConfig") return [];
  const own = { name, stylingType, autoRegister, ...optionsOf(template) };
  return [{ idpId, state, idp: sameFields(AddOrgJWTIDPRequestSchema, config.value, own) }];
}

const optionsOf = (template: ProviderConfig | undefined) =>
  template?.options === undefined ? {} : { providerOptions: template.options };
