import type { MessageInitShape } from "@bufbuild/protobuf";
import type { OIDCConfigSchema } from "@doorward/api/service/app/v1/app_pb";
import type { AddOIDCAppRequest } from "@doorward/api/service/management/v1/project_app_pb";
import type { Language } from "../../../../base/language.ts";
import type { OidcApplication } from "../../../../domain/application/index.ts";
import type { OidcConfiguration } from "../../../../domain/oidc-configuration/index.ts";
import type { Texts } from "../../../../text/index.ts";
import { withFields } from "../../../contract/index.ts";
import { fromWireConfiguration, toWireConfiguration } from "../../../v2/application/oidc-configuration.ts";

/** The fields that `AddOIDCAppRequest` and `UpdateOIDCAppConfigRequest` share. */
type WireConfiguration = Omit<AddOIDCAppRequest, "$typeName" | "$unknown" | "projectId" | "name" | "version">;

// Both generations number the values of enumerations alike, except that the second has a leading response type for
// "none given".
const responseTypeShift = 1;

/**
 * Reads everything that the first generation states of a configuration. What was not sent is empty or off, except that
 * a client without a response or grant type has the code flow. Fields that only the second generation knows are left
 * out, so that they keep their values.
 */
export function fromWireConfigurationV1(wire: WireConfiguration): Partial<OidcConfiguration> {
  const { redirectUris, postLogoutRedirectUris, additionalOrigins } = wire;
  const given = fromWireConfiguration({
    redirectUris,
    postLogoutRedirectUris,
    additionalOrigins,
    responseTypes: wire.responseTypes.map((type) => type + responseTypeShift),
    grantTypes: wire.grantTypes as number[],
    applicationType: wire.appType as number,
    authMethodType: wire.authMethodType as number,
    developmentMode: wire.devMode,
    accessTokenType: wire.accessTokenType as number,
    accessTokenRoleAssertion: wire.accessTokenRoleAssertion,
    idTokenRoleAssertion: wire.idTokenRoleAssertion,
    idTokenUserinfoAssertion: wire.idTokenUserinfoAssertion,
    skipNativeAppSuccessPage: wire.skipNativeAppSuccessPage,
    backChannelLogoutUri: wire.backChannelLogoutUri,
    clockSkew: wire.clockSkew ?? { seconds: 0n, nanos: 0 },
    loginVersion: wire.loginVersion ?? { version: { case: undefined } },
  });
  return {
    responseTypes: ["code"],
    grantTypes: ["authorization_code"],
    ...given,
    redirectUris,
    postLogoutRedirectUris,
    additionalOrigins,
  };
}

/** Converts the configuration to the record of the first generation. */
export function toWireConfigurationV1(
  application: OidcApplication,
  speak: { readonly texts: Texts; readonly language: Language },
): MessageInitShape<typeof OIDCConfigSchema> {
  const wire = toWireConfiguration(application, speak);
  return {
    clientId: wire.clientId,
    redirectUris: wire.redirectUris,
    responseTypes: wire.responseTypes.map((type) => type - responseTypeShift),
    grantTypes: wire.grantTypes as number[],
    appType: wire.applicationType as number,
    authMethodType: wire.authMethodType as number,
    postLogoutRedirectUris: wire.postLogoutRedirectUris,
    noneCompliant: wire.nonCompliant,
    complianceProblems: wire.complianceProblems,
    devMode: wire.developmentMode,
    accessTokenType: wire.accessTokenType as number,
    accessTokenRoleAssertion: wire.accessTokenRoleAssertion,
    idTokenRoleAssertion: wire.idTokenRoleAssertion,
    idTokenUserinfoAssertion: wire.idTokenUserinfoAssertion,
    clockSkew: wire.clockSkew,
    additionalOrigins: wire.additionalOrigins,
    allowedOrigins: wire.allowedOrigins,
    skipNativeAppSuccessPage: wire.skipNativeAppSuccessPage,
    backChannelLogoutUri: wire.backChannelLogoutUri,
    ...(wire.loginVersion !== undefined && { loginVersion: wire.loginVersion }),
    trustedForApi: wire.trustedForApi,
  };
}

/**
 * Runs work that may reject fields of a configuration: in requests of the first generation they are top-level fields.
 */
export const withFieldsOfConfiguration = <Result>(work: () => Promise<Result>): Promise<Result> =>
  withFields({ oidcConfiguration: "", apiConfiguration: "", applicationId: "appId", applicationType: "appType" }, work);
