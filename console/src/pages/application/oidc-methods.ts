import { OIDCAuthMethodType } from "@doorward/api/service/application/v2/oidc_pb";
import { t } from "../../text/catalogue.ts";

/** The ways in which an OpenID Connect application authenticates, as choices. */
export const oidcMethods = () =>
  [
    [String(OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_BASIC), t("application.method.basic")],
    [String(OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_POST), t("application.method.post")],
    [String(OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT), t("application.method.key")],
    [String(OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_NONE), t("application.method.none")],
  ] as const;
