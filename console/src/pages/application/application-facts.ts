import type { Application } from "@doorward/api/service/application/v2/application_pb";
import { OIDCApplicationType } from "@doorward/api/service/application/v2/oidc_pb";
import { readEnvironment } from "../../session/environment.ts";
import { t } from "../../text/catalogue.ts";

/** Returns the client id, or for SAML the entity id. */
export function clientIdOf({ configuration }: Application): string {
  if (configuration.case === "oidcConfiguration" || configuration.case === "apiConfiguration")
    return configuration.value.clientId;
  return configuration.case === "samlConfiguration" ? configuration.value.entityId : "";
}

/** Returns what kind of application it is, as a word. */
export function kindOf({ configuration }: Application): string {
  if (configuration.case === "apiConfiguration") return t("application.kind.api");
  if (configuration.case === "samlConfiguration") return t("application.kind.saml");
  const type = configuration.value?.applicationType;
  if (type === OIDCApplicationType.OIDC_APP_TYPE_USER_AGENT) return t("application.kind.browser");
  if (type === OIDCApplicationType.OIDC_APP_TYPE_NATIVE) return t("application.kind.native");
  return t("application.kind.web");
}

/** Whether it is this console, which belongs to the server and cannot be changed. */
export const isConsole = (application: Application): boolean => clientIdOf(application) === readEnvironment().clientId;
