import type { ApplicationKey } from "@doorward/api/service/application/v2/application_key_pb";
import type { Application } from "@doorward/api/service/application/v2/application_pb";
import { t } from "../../text/catalogue.ts";
import { oidcMethods } from "./oidc-methods.ts";

/** An application as a page shows it to the user who decides about it. */
export interface SeenApplication {
  readonly application: Application;
  readonly keys: readonly ApplicationKey[];
}

type Fact = readonly [name: string, value: string];

/** Returns where an application has its answers sent, and how it proves who it is: what trust in it rests on. */
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
  ];
  return facts;
}

/** Returns in which of these facts two states of an application differ. */
export function trustDifferences(before: SeenApplication, now: SeenApplication) {
  const former = new Map(trustFacts(before));
  return trustFacts(now).flatMap(([name, value]) =>
    former.get(name) === value ? [] : [{ name, before: former.get(name) ?? "", now: value }],
  );
}
