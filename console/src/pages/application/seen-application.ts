import type { ApplicationKey } from "@doorward/api/service/application/v2/application_key_pb";
import type { Application } from "@doorward/api/service/application/v2/application_pb";
import { type OIDCConfiguration, OIDCGrantType } from "@doorward/api/service/application/v2/oidc_pb";
import { t } from "../../text/catalogue.ts";
import { oidcMethods } from "./oidc-methods.ts";

/** An application as a page shows it to the user who decides about it. */
export interface SeenApplication {
  readonly application: Application;
  readonly keys: readonly ApplicationKey[];
}

type Fact = readonly [name: string, value: string];

/**
 * Returns where an application has its answers sent, how it proves who it is, and which grants and login it uses: what
 * trust in it rests on.
 */
export function trustFacts({ application: { configuration }, keys }: SeenApplication): readonly Fact[] {
  if (configuration.case !== "oidcConfiguration") return [];
  const { value } = configuration;
  const facts: readonly Fact[] = [
    [t("application.redirectUris"), value.redirectUris.join("\n")],
    [t("application.logoutUris"), value.postLogoutRedirectUris.join("\n")],
    [t("application.origins"), value.additionalOrigins.join("\n")],
    [t("application.backChannel"), value.backChannelLogoutUri],
    [t("application.initiate"), value.initiateLoginUri],
    [t("application.method"), oidcMethods().find(([method]) => method === String(value.authMethodType))?.[1] ?? ""],
    [t("application.keys"), keys.map(({ keyId }) => keyId).join("\n")],
    // By the names of the API: these are not set in the console.
    ["jwksUri", value.jwksUri],
    ["jwkThumbprints", value.jwkThumbprints.join("\n")],
    ["requestUris", value.requestUris.join("\n")],
    ["grantTypes", value.grantTypes.map((type) => OIDCGrantType[type]).join("\n")],
    ["loginVersion", loginOf(value)],
    [t("application.development"), value.developmentMode ? "true" : ""],
  ];
  return facts;
}

/** The pages at which users sign in to the application; empty where the instance decides. */
function loginOf({ loginVersion }: OIDCConfiguration): string {
  const { case: version, value } = loginVersion?.version ?? {};
  return version === "loginV2" ? `loginV2 ${value?.baseUri ?? ""}`.trim() : (version ?? "");
}

/** Returns in which of these facts two states of an application differ. */
export function trustDifferences(before: SeenApplication, now: SeenApplication) {
  const former = new Map(trustFacts(before));
  return trustFacts(now).flatMap(([name, value]) =>
    former.get(name) === value ? [] : [{ name, before: former.get(name) ?? "", now: value }],
  );
}
