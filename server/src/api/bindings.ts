import type { Domain } from "../app/domain.ts";
import type { Call } from "../call/index.ts";
import type { Tx } from "../database/index.ts";
import { createFindOwnOrganizations } from "../domain/authorization/index.ts";
import { createFactorSteps } from "../domain/factor/index.ts";
import { takeProof } from "../domain/identity-provider-intent/index.ts";
import { createLinkNewUser } from "../domain/identity-provider-link/index.ts";
import { mayVouchFor, refuseEndOfHome, refuseLossOfOwner } from "../domain/membership/index.ts";
import { createDomainProofs } from "../domain/organization/index.ts";
import { findLastSignIn, isFreshCaller, mayActForUser } from "../domain/session/index.ts";
import { terminateOtherSessions, terminateSessionsOfUser } from "../domain/sign-out/index.ts";
import { claimDomain, renameLoginNames } from "../domain/user/index.ts";
import type { OAuthDeps } from "../oauth/index.ts";
import type { Binding } from "./contract/index.ts";
import { projectBindings } from "./project-bindings.ts";
import { createSettingsBindings } from "./settings-bindings.ts";
import { userBindings } from "./user-bindings.ts";
import { eventMethods } from "./v1/admin/event/event.ts";
import { adminFeatureMethods } from "./v1/admin/feature/instance-feature.ts";
import { adminProviderDeletionMethods } from "./v1/admin/identity-provider/delete-identity-provider.ts";
import { adminProviderMethods } from "./v1/admin/identity-provider/identity-provider.ts";
import { adminInstanceMethods } from "./v1/admin/instance/instance.ts";
import { adminMemberMethods } from "./v1/admin/member/member.ts";
import { debugProviderMethods } from "./v1/admin/message-provider/debug-provider.ts";
import { emailProviderMethods } from "./v1/admin/message-provider/email-provider.ts";
import { smsProviderMethods } from "./v1/admin/message-provider/sms-provider.ts";
import { smtpConfigMethods } from "./v1/admin/message-provider/smtp-config.ts";
import { instanceMessageTextMethods } from "./v1/admin/message-text/message-text.ts";
import { adminSetupMethods } from "./v1/admin/organization/create-organization.ts";
import { adminOrganizationDeletionMethods } from "./v1/admin/organization/delete-organization.ts";
import { adminOrganizationMethods } from "./v1/admin/organization/organization.ts";
import { adminLoginProviderMethods } from "./v1/admin/settings/login-provider.ts";
import { authChangeMethods } from "./v1/auth/change/change.ts";
import { authMembershipMethods } from "./v1/auth/membership/membership.ts";
import { authOrganizationMethods } from "./v1/auth/organization/organization.ts";
import { authRefreshTokenMethods } from "./v1/auth/refresh-token/refresh-token.ts";
import { authSessionMethods } from "./v1/auth/session/session.ts";
import { authDeleteUserMethods } from "./v1/auth/user/delete-user.ts";
import { authFactorMethods } from "./v1/auth/user/factor.ts";
import { authIdentityLinkMethods } from "./v1/auth/user/identity-link.ts";
import { authKeyMethods } from "./v1/auth/user/webauthn-key.ts";
import { createLoginProviders } from "./v1/common/settings/login-provider.ts";
import { readPersonV1 } from "./v1/common/user/person.ts";
import { managementChangeMethods } from "./v1/management/change/change.ts";
import { managementProviderDeletionMethods } from "./v1/management/identity-provider/delete-identity-provider.ts";
import { managementProviderMethods } from "./v1/management/identity-provider/identity-provider.ts";
import { managementInstanceMethods } from "./v1/management/instance/instance.ts";
import { managementMemberMethods } from "./v1/management/member/member.ts";
import { managementMembershipMethods } from "./v1/management/membership/membership.ts";
import { organizationMessageTextMethods } from "./v1/management/message-text/message-text.ts";
import { managementSetupMethods } from "./v1/management/organization/create-organization.ts";
import { managementOrganizationDeletionMethods } from "./v1/management/organization/delete-organization.ts";
import { managementOrganizationMethods } from "./v1/management/organization/organization.ts";
import { managementOrganizationMetadataMethods } from "./v1/management/organization/organization-metadata.ts";
import { managementLoginProviderMethods } from "./v1/management/settings/login-provider.ts";
import { managementDeleteUserMethods } from "./v1/management/user/delete-user.ts";
import { managementFactorMethods } from "./v1/management/user/factor.ts";
import { managementIdentityLinkMethods } from "./v1/management/user/identity-link.ts";
import { passkeyLinkMethods } from "./v1/management/user/passkey-link.ts";
import { systemFeatureMethods } from "./v1/system/feature/instance-feature.ts";
import { systemSetupMethods } from "./v1/system/instance/create-instance.ts";
import { systemInstanceDeletionMethods } from "./v1/system/instance/delete-instance.ts";
import { systemInstanceMethods } from "./v1/system/instance/instance.ts";
import { systemMemberMethods } from "./v1/system/member/member.ts";
import { deliveryMethods } from "./v2/action/delivery.ts";
import { executionMethods } from "./v2/action/execution.ts";
import { targetMethods } from "./v2/action/target.ts";
import { targetKeyMethods } from "./v2/action/target-key.ts";
import { administratorMethods } from "./v2/administrator/administrator.ts";
import { featureMethods } from "./v2/feature/feature.ts";
import { groupDeletionMethods } from "./v2/group/delete-group.ts";
import { groupMethods } from "./v2/group/group.ts";
import { identityProviderMethods } from "./v2/identity-provider/identity-provider.ts";
import { instanceDeletionMethods } from "./v2/instance/delete-instance.ts";
import { instanceMethods } from "./v2/instance/instance.ts";
import { instanceDomainMethods } from "./v2/instance/instance-domain.ts";
import { deviceAuthorizationMethods } from "./v2/oidc/device-authorization.ts";
import { oidcMethods } from "./v2/oidc/oidc.ts";
import { organizationSetupMethods } from "./v2/organization/create-organization.ts";
import { organizationDeletionMethods } from "./v2/organization/delete-organization.ts";
import { organizationMethods } from "./v2/organization/organization.ts";
import { organizationDomainMethods } from "./v2/organization/organization-domain.ts";
import { organizationMetadataMethods } from "./v2/organization/organization-metadata.ts";
import { sessionDeletionMethods } from "./v2/session/delete-session.ts";
import { sessionMethods } from "./v2/session/session.ts";
import { deleteUserMethods } from "./v2/user/delete-user.ts";
import { factorMethods } from "./v2/user/factor.ts";
import { identityIntentMethods } from "./v2/user/identity-intent.ts";
import { identityLinkMethods } from "./v2/user/identity-link.ts";
import { readHuman } from "./v2/user/user.ts";
import { keyMethods } from "./v2/user/webauthn-key.ts";
import { webKeyMethods } from "./v2/web-key/web-key.ts";

/** Returns the bindings of all modules' methods. `canBeNamed` says whether a condition of an execution can name a method. */
export function createBindings(domain: Domain, oauth: OAuthDeps, canBeNamed: (method: string) => boolean): Binding[] {
  const requiresDomainProof = async ({ instanceId }: Call): Promise<boolean> =>
    (await domain.settings.get("domain", { instanceId })).settings.requireOrganizationDomainProof;
  const organization = {
    ...domain,
    requiresDomainProof,
    domainProofs: createDomainProofs(domain),
    claimDomain: (tx: Tx, claim: Parameters<typeof claimDomain>[2]) => claimDomain(tx, domain, claim),
  };
  const authorizing = { mayActFor: mayActForUser, isFresh: isFreshCaller };
  const ofOtherModules = {
    ...authorizing,
    refuseLossOfOwner,
    terminateOtherSessions,
    terminateSessionsOfUser,
    findLastSignIn,
    ...createFactorSteps(domain),
  };
  const loginProviders = createLoginProviders(domain);
  const bindings: Binding[] = [
    instanceMethods(domain),
    instanceDomainMethods(domain),
    systemInstanceMethods(domain),
    adminInstanceMethods(domain),
    managementInstanceMethods(domain),
    systemSetupMethods(domain),
    organizationMethods({ ...domain, refuseEndOfHome }),
    organizationSetupMethods({ ...domain, ...authorizing, readHuman: (request) => readHuman(ofOtherModules, request) }),
    managementSetupMethods({ ...organization, ...authorizing, readPersonV1 }),
    adminSetupMethods({ ...organization, ...authorizing, readPersonV1 }),
    organizationDomainMethods(organization),
    managementOrganizationMethods({ ...organization, renameLoginNames, refuseEndOfHome }),
    adminOrganizationMethods({ ...organization, renameLoginNames, refuseEndOfHome }),
    managementOrganizationMetadataMethods(domain),
    organizationMetadataMethods(domain),
    authOrganizationMethods({ ...domain, findOwnOrganizations: createFindOwnOrganizations(domain) }),
    ...createSettingsBindings(domain, loginProviders),
    instanceMessageTextMethods(domain),
    organizationMessageTextMethods(domain),
    emailProviderMethods(domain),
    debugProviderMethods(),
    smtpConfigMethods(domain),
    smsProviderMethods(domain),
    adminProviderMethods(domain),
    managementProviderMethods(domain),
    identityProviderMethods(domain),
    adminLoginProviderMethods(domain),
    managementLoginProviderMethods(domain),
    adminProviderDeletionMethods(domain),
    managementProviderDeletionMethods(domain),
    administratorMethods({ ...domain, ...authorizing }),
    adminMemberMethods(domain),
    systemMemberMethods(domain),
    managementMemberMethods(domain),
    authMembershipMethods(domain),
    managementMembershipMethods(domain),
    ...projectBindings(domain),
    webKeyMethods(domain),
    oidcMethods(oauth),
    deviceAuthorizationMethods(oauth),
    factorMethods({ ...domain, ...authorizing }),
    authFactorMethods({ ...domain, ...authorizing }),
    managementFactorMethods({ ...domain, ...authorizing }),
    keyMethods({ ...domain, ...authorizing }),
    authKeyMethods({ ...domain, ...authorizing }),
    passkeyLinkMethods({ ...domain, ...authorizing }),
    ...userBindings({ ...domain, ...ofOtherModules, tieAccount: createLinkNewUser({ takeProof }) }),
    identityLinkMethods({ ...domain, ...authorizing, takeProof, mayVouchFor }),
    identityIntentMethods({ ...domain, originOf: oauth.originOf }),
    authIdentityLinkMethods({ ...domain, ...authorizing }),
    managementIdentityLinkMethods({ ...domain, ...authorizing }),
    featureMethods(domain),
    adminFeatureMethods(domain),
    systemFeatureMethods(domain),
    groupMethods(domain),
    groupDeletionMethods(domain),
    sessionMethods(domain),
    authSessionMethods(domain),
    sessionDeletionMethods(domain),
    eventMethods(domain),
    authRefreshTokenMethods(domain),
    authChangeMethods(domain),
    managementChangeMethods(domain),
    deleteUserMethods(domain),
    managementDeleteUserMethods(domain),
    authDeleteUserMethods(domain),
    organizationDeletionMethods(domain),
    managementOrganizationDeletionMethods(domain),
    adminOrganizationDeletionMethods(domain),
    instanceDeletionMethods(domain),
    systemInstanceDeletionMethods(domain),
    targetMethods(domain),
    targetKeyMethods(domain),
    deliveryMethods(domain),
  ];
  const methodNames = bindings.flatMap(namesOf).filter(canBeNamed).toSorted();
  return [...bindings, executionMethods({ ...domain, ...oauth, methodNames })];
}

/** Names of the methods of a binding: `service.user.v2.UserService/CreateUser`. */
const namesOf = ({ service, handlers }: Binding): string[] =>
  Object.keys(handlers).map((localName) => `${service.typeName}/${service.method[localName]?.name}`);
