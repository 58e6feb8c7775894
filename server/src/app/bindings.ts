import type { Call } from "../call/index.ts";
import type { Binding } from "../contract/index.ts";
import type { Tx } from "../database/index.ts";
import { deliveryMethods } from "../domain/action/delivery.rpc.ts";
import { executionMethods } from "../domain/action/execution.rpc.ts";
import { targetMethods } from "../domain/action/target.rpc.ts";
import { targetKeyMethods } from "../domain/action/target-key.rpc.ts";
import { createFindOwnOrganizations } from "../domain/authorization/index.ts";
import { groupDeletionMethods } from "../domain/deletion/delete-group.rpc.ts";
import { deleteUserMethods } from "../domain/deletion/delete-user.rpc.ts";
import { identityProviderDeletionMethods } from "../domain/deletion/identity-provider-deletion.rpc.ts";
import { instanceDeletionMethods } from "../domain/deletion/instance-deletion.rpc.ts";
import { organizationDeletionMethods } from "../domain/deletion/organization-deletion.rpc.ts";
import { changeMethods } from "../domain/event-log/change.rpc.ts";
import { eventMethods } from "../domain/event-log/event.rpc.ts";
import { factorMethods } from "../domain/factor/factor.rpc.ts";
import { factorMethodsV1 } from "../domain/factor/factor-v1.rpc.ts";
import { createFactorSteps } from "../domain/factor/index.ts";
import { keyMethods } from "../domain/factor/key.rpc.ts";
import { myKeyMethods, passkeyLinkMethods } from "../domain/factor/my-key.rpc.ts";
import { featureMethods } from "../domain/feature/feature.rpc.ts";
import { instanceFeatureMethods } from "../domain/feature/instance-feature.rpc.ts";
import { groupMethods } from "../domain/group/group.rpc.ts";
import { identityProviderMethods } from "../domain/identity-provider/identity-provider.rpc.ts";
import { createLoginProviders, loginProviderMethods } from "../domain/identity-provider/login-provider.rpc.ts";
import { identityIntentMethods } from "../domain/identity-provider-intent/identity-intent.rpc.ts";
import { takeProof } from "../domain/identity-provider-intent/index.ts";
import { identityLinkMethods } from "../domain/identity-provider-link/identity-link.rpc.ts";
import { identityLinkMethodsV1 } from "../domain/identity-provider-link/identity-link-v1.rpc.ts";
import { createLinkNewUser } from "../domain/identity-provider-link/index.ts";
import { adminInstanceMethods } from "../domain/instance/admin-instance.rpc.ts";
import { instanceMethods } from "../domain/instance/instance.rpc.ts";
import { instanceDomainMethods } from "../domain/instance/instance-domain.rpc.ts";
import { systemInstanceMethods } from "../domain/instance/system.rpc.ts";
import { administratorMethods } from "../domain/membership/administrator.rpc.ts";
import { mayVouchFor, refuseEndOfHome, refuseLossOfOwner } from "../domain/membership/index.ts";
import { memberMethods } from "../domain/membership/member.rpc.ts";
import { membershipMethods } from "../domain/membership/membership.rpc.ts";
import { debugProviderMethods } from "../domain/message-provider/debug-provider.rpc.ts";
import { emailProviderMethods } from "../domain/message-provider/email-provider.rpc.ts";
import { smsProviderMethods } from "../domain/message-provider/sms-provider.rpc.ts";
import { smtpConfigMethods } from "../domain/message-provider/smtp-config.rpc.ts";
import { instanceMessageTextMethods } from "../domain/message-text/instance-message-text.rpc.ts";
import { organizationMessageTextMethods } from "../domain/message-text/organization-message-text.rpc.ts";
import { managedOrganizationMetadataMethods } from "../domain/organization/managed-metadata.rpc.ts";
import { managedOrganizationMethods } from "../domain/organization/managed-organization.rpc.ts";
import { organizationMethods } from "../domain/organization/organization.rpc.ts";
import { organizationDomainMethods } from "../domain/organization/organization-domain.rpc.ts";
import { organizationMetadataMethods } from "../domain/organization/organization-metadata.rpc.ts";
import { ownOrganizationMethods } from "../domain/organization/own-organization.rpc.ts";
import { findLastSignIn, isFreshCaller, mayActForUser } from "../domain/session/index.ts";
import { ownSessionMethods } from "../domain/session/own-session.rpc.ts";
import { sessionMethods } from "../domain/session/session.rpc.ts";
import { managedSetupMethods } from "../domain/setup/managed-setup.rpc.ts";
import { organizationSetupMethods } from "../domain/setup/organization-setup.rpc.ts";
import { systemSetupMethods } from "../domain/setup/system-setup.rpc.ts";
import { terminateOtherSessions, terminateSessionsOfUser } from "../domain/sign-out/index.ts";
import { sessionDeletionMethods } from "../domain/sign-out/session-deletion.rpc.ts";
import { webKeyMethods } from "../domain/signing-key/web-key.rpc.ts";
import { ownRefreshTokenMethods } from "../domain/token/own-refresh-token.rpc.ts";
import { userBindings } from "../domain/user/bindings.rpc.ts";
import { claimDomain, renameLoginNames } from "../domain/user/index.ts";
import { readPersonV1 } from "../domain/user/new-human.rpc.ts";
import { readHuman } from "../domain/user/user.rpc.ts";
import { deviceAuthorizationMethods } from "../oauth/device-authorization.rpc.ts";
import type { OAuthDeps } from "../oauth/index.ts";
import { oidcMethods } from "../oauth/oidc.rpc.ts";
import type { Domain } from "./domain.ts";
import { createDomainProofs } from "./domain-proofs.ts";
import { projectBindings } from "./project-bindings.ts";
import { createSettingsBindings } from "./settings-bindings.ts";

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
    ...adminInstanceMethods(domain),
    systemSetupMethods(domain),
    organizationMethods({ ...domain, refuseEndOfHome }),
    organizationSetupMethods({ ...domain, ...authorizing, readHuman: (request) => readHuman(ofOtherModules, request) }),
    ...managedSetupMethods({ ...organization, ...authorizing, readPersonV1 }),
    organizationDomainMethods(organization),
    ...managedOrganizationMethods({ ...organization, renameLoginNames, refuseEndOfHome }),
    managedOrganizationMetadataMethods(domain),
    organizationMetadataMethods(domain),
    ownOrganizationMethods({ ...domain, findOwnOrganizations: createFindOwnOrganizations(domain) }),
    ...createSettingsBindings(domain, loginProviders),
    instanceMessageTextMethods(domain),
    organizationMessageTextMethods(domain),
    emailProviderMethods(domain),
    debugProviderMethods(),
    smtpConfigMethods(domain),
    smsProviderMethods(domain),
    ...identityProviderMethods(domain),
    ...loginProviderMethods(domain),
    ...identityProviderDeletionMethods(domain),
    administratorMethods({ ...domain, ...authorizing }),
    ...memberMethods(domain),
    ...membershipMethods(domain),
    ...projectBindings(domain),
    webKeyMethods(domain),
    oidcMethods(oauth),
    deviceAuthorizationMethods(oauth),
    factorMethods({ ...domain, ...authorizing }),
    ...factorMethodsV1({ ...domain, ...authorizing }),
    keyMethods({ ...domain, ...authorizing }),
    myKeyMethods({ ...domain, ...authorizing }),
    passkeyLinkMethods({ ...domain, ...authorizing }),
    ...userBindings({ ...domain, ...ofOtherModules, tieAccount: createLinkNewUser({ takeProof }) }),
    identityLinkMethods({ ...domain, ...authorizing, takeProof, mayVouchFor }),
    identityIntentMethods({ ...domain, originOf: oauth.originOf }),
    ...identityLinkMethodsV1({ ...domain, ...authorizing }),
    featureMethods(domain),
    ...instanceFeatureMethods(domain),
    groupMethods(domain),
    groupDeletionMethods(domain),
    sessionMethods(domain),
    ownSessionMethods(domain),
    sessionDeletionMethods(domain),
    eventMethods(domain),
    ownRefreshTokenMethods(domain),
    ...changeMethods(domain),
    ...deleteUserMethods(domain),
    ...organizationDeletionMethods(domain),
    ...instanceDeletionMethods(domain),
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
