import {
  isCredentialSuspended,
  managesUsers,
  mayPrepareFor,
  mayPrepareNow,
  mayVouchFor,
  permissionsOfAll,
} from "../domain/administrator-access/index.ts";
import { takeProof } from "../domain/identity-provider-intent/index.ts";
import { createLinkNewUser } from "../domain/identity-provider-link/index.ts";
import { refuseLossOfOwner } from "../domain/membership/index.ts";
import { findLastSignIn, isFreshCaller, mayActForUser } from "../domain/session/index.ts";
import { createFactorSteps } from "../domain/sign-in-method/index.ts";
import {
  endAccessOfUser,
  endPreparedSessions,
  removePrepared,
  terminateOtherSessions,
} from "../domain/sign-out/index.ts";
import type { SamlDeps } from "../saml/index.ts";
import type { Binding } from "./contract/index.ts";
import type { ApiDeps } from "./deps.ts";
import { organizationBindings } from "./organization-bindings.ts";
import { projectBindings } from "./project-bindings.ts";
import { createSettingsBindings } from "./settings-bindings.ts";
import { userBindings } from "./user-bindings.ts";
import { dataMethods } from "./v1/admin/data/data.ts";
import { eventMethods } from "./v1/admin/event/event.ts";
import { adminFeatureMethods } from "./v1/admin/feature/instance-feature.ts";
import { adminProviderDeletionMethods } from "./v1/admin/identity-provider/delete-identity-provider.ts";
import { adminProviderMethods } from "./v1/admin/identity-provider/identity-provider.ts";
import { adminMaintenanceMethods } from "./v1/admin/maintenance/maintenance.ts";
import { adminMemberMethods } from "./v1/admin/member/member.ts";
import { debugProviderMethods } from "./v1/admin/message-provider/debug-provider.ts";
import { emailProviderMethods } from "./v1/admin/message-provider/email-provider.ts";
import { smsProviderMethods } from "./v1/admin/message-provider/sms-provider.ts";
import { smtpConfigMethods } from "./v1/admin/message-provider/smtp-config.ts";
import { instanceMessageTextMethods } from "./v1/admin/message-text/message-text.ts";
import { milestoneMethods } from "./v1/admin/milestone/milestone.ts";
import { adminLoginProviderMethods } from "./v1/admin/settings/login-provider.ts";
import { authChangeMethods } from "./v1/auth/change/change.ts";
import { authMembershipMethods } from "./v1/auth/membership/membership.ts";
import { authRefreshTokenMethods } from "./v1/auth/refresh-token/refresh-token.ts";
import { authSessionMethods } from "./v1/auth/session/session.ts";
import { authDeleteUserMethods } from "./v1/auth/user/delete-user.ts";
import { authFactorMethods } from "./v1/auth/user/factor.ts";
import { authIdentityLinkMethods } from "./v1/auth/user/identity-link.ts";
import { authKeyMethods } from "./v1/auth/user/webauthn-key.ts";
import { managementChangeMethods } from "./v1/management/change/change.ts";
import { managementProviderDeletionMethods } from "./v1/management/identity-provider/delete-identity-provider.ts";
import { managementProviderMethods } from "./v1/management/identity-provider/identity-provider.ts";
import { managementMemberMethods } from "./v1/management/member/member.ts";
import { managementMembershipMethods } from "./v1/management/membership/membership.ts";
import { organizationMessageTextMethods } from "./v1/management/message-text/message-text.ts";
import { managementLoginProviderMethods } from "./v1/management/settings/login-provider.ts";
import { managementDeleteUserMethods } from "./v1/management/user/delete-user.ts";
import { managementFactorMethods } from "./v1/management/user/factor.ts";
import { managementIdentityLinkMethods } from "./v1/management/user/identity-link.ts";
import { passkeyLinkMethods } from "./v1/management/user/passkey-link.ts";
import { systemFeatureMethods } from "./v1/system/feature/instance-feature.ts";
import { limitsMethods } from "./v1/system/limits/limits.ts";
import { systemMaintenanceMethods } from "./v1/system/maintenance/maintenance.ts";
import { systemMemberMethods } from "./v1/system/member/member.ts";
import { quotaMethods } from "./v1/system/quota/quota.ts";
import { deliveryMethods } from "./v2/action/delivery.ts";
import { executionMethods } from "./v2/action/execution.ts";
import { targetMethods } from "./v2/action/target.ts";
import { targetKeyMethods } from "./v2/action/target-key.ts";
import { administratorMethods } from "./v2/administrator/administrator.ts";
import { featureMethods } from "./v2/feature/feature.ts";
import { groupDeletionMethods } from "./v2/group/delete-group.ts";
import { groupMethods } from "./v2/group/group.ts";
import { identityProviderMethods } from "./v2/identity-provider/identity-provider.ts";
import { impersonationMethods } from "./v2/impersonation/impersonation.ts";
import { deviceAuthorizationMethods } from "./v2/oidc/device-authorization.ts";
import { oidcMethods } from "./v2/oidc/oidc.ts";
import { samlMethods } from "./v2/saml/saml.ts";
import { sessionDeletionMethods } from "./v2/session/delete-session.ts";
import { sessionMethods } from "./v2/session/session.ts";
import { testSignInMethods } from "./v2/test-sign-in/test-sign-in.ts";
import { deleteUserMethods } from "./v2/user/delete-user.ts";
import { factorMethods } from "./v2/user/factor.ts";
import { identityIntentMethods } from "./v2/user/identity-intent.ts";
import { identityLinkMethods } from "./v2/user/identity-link.ts";
import { keyMethods } from "./v2/user/webauthn-key.ts";
import { webKeyMethods } from "./v2/web-key/web-key.ts";

/**
 * Returns the bindings of all modules' methods. `canBeNamed` says whether a condition of an execution can name a
 * method.
 */
export function createBindings(deps: ApiDeps, oauth: SamlDeps, canBeNamed: (method: string) => boolean): Binding[] {
  const authorizing = { mayActFor: mayActForUser, isFresh: isFreshCaller };
  const weighing = { mayPrepareFor, mayPrepareNow, mayVouchFor, managesUsers, isCredentialSuspended };
  const answering = { permissionsOfRoles: permissionsOfAll };
  const ofOtherModules = {
    ...authorizing,
    ...weighing,
    refuseLossOfOwner,
    removePrepared,
    terminateOtherSessions,
    endAccessOfUser,
    findLastSignIn,
    ...createFactorSteps(deps),
  };
  const bindings: Binding[] = [
    ...organizationBindings({ ...deps, ...ofOtherModules }),
    ...createSettingsBindings(deps),
    instanceMessageTextMethods(deps),
    organizationMessageTextMethods(deps),
    emailProviderMethods(deps),
    debugProviderMethods(),
    smtpConfigMethods(deps),
    smsProviderMethods(deps),
    adminProviderMethods({ ...deps, ...answering }),
    managementProviderMethods({ ...deps, ...answering }),
    identityProviderMethods({ ...deps, ...answering }),
    adminLoginProviderMethods(deps),
    managementLoginProviderMethods(deps),
    adminProviderDeletionMethods(deps),
    managementProviderDeletionMethods(deps),
    administratorMethods({ ...deps, ...authorizing, endPreparedSessions, terminateOtherSessions }),
    adminMemberMethods({ ...deps, endPreparedSessions }),
    dataMethods({ ...deps, ...ofOtherModules }),
    limitsMethods(deps),
    quotaMethods(deps),
    adminMaintenanceMethods(deps),
    milestoneMethods(deps),
    systemMaintenanceMethods(deps),
    systemMemberMethods({ ...deps, endPreparedSessions }),
    managementMemberMethods({ ...deps, endPreparedSessions }),
    authMembershipMethods(deps),
    managementMembershipMethods(deps),
    ...projectBindings(deps),
    webKeyMethods(deps),
    ...signInBindings(oauth),
    factorMethods({ ...deps, ...authorizing }),
    authFactorMethods({ ...deps, ...authorizing }),
    managementFactorMethods({ ...deps, ...authorizing }),
    keyMethods({ ...deps, ...authorizing, ...weighing }),
    authKeyMethods({ ...deps, ...authorizing, ...weighing }),
    passkeyLinkMethods({ ...deps, ...authorizing, ...weighing }),
    ...userBindings({ ...deps, ...ofOtherModules, tieAccount: createLinkNewUser({ takeProof, mayPrepareFor }) }),
    identityLinkMethods({ ...deps, ...authorizing, takeProof, ...weighing }),
    identityIntentMethods({ ...deps, mayPrepareFor, originOf: oauth.originOf }),
    authIdentityLinkMethods({ ...deps, ...authorizing, mayPrepareFor }),
    managementIdentityLinkMethods({ ...deps, ...authorizing, mayPrepareFor }),
    featureMethods(deps),
    adminFeatureMethods(deps),
    systemFeatureMethods(deps),
    groupMethods(deps),
    groupDeletionMethods(deps),
    sessionMethods({ ...deps, isCredentialSuspended }),
    authSessionMethods(deps),
    sessionDeletionMethods(deps),
    eventMethods(deps),
    authRefreshTokenMethods(deps),
    authChangeMethods(deps),
    managementChangeMethods(deps),
    deleteUserMethods(deps),
    managementDeleteUserMethods(deps),
    authDeleteUserMethods(deps),
    targetMethods(deps),
    targetKeyMethods(deps),
    deliveryMethods(deps),
  ];
  const methodNames = bindings.flatMap(namesOf).filter(canBeNamed).toSorted();
  return [...bindings, executionMethods({ ...deps, ...oauth, methodNames })];
}

/** Returns the methods about sign-ins to applications: by custom logins, and as a test. */
const signInBindings = (oauth: SamlDeps): Binding[] => [
  oidcMethods(oauth),
  samlMethods(oauth),
  deviceAuthorizationMethods(oauth),
  testSignInMethods(oauth),
  impersonationMethods(oauth),
];

/** Names of the methods of a binding: `service.user.v2.UserService/CreateUser`. */
const namesOf = ({ service, handlers }: Binding): string[] =>
  Object.keys(handlers).map((localName) => `${service.typeName}/${service.method[localName]?.name}`);
