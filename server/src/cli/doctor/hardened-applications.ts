import type { Reader } from "../../database/index.ts";
import { type ListedOidcApplication, listOidcApplications } from "../../domain/application/index.ts";
import { isLoopbackUri } from "../../domain/oidc-configuration/index.ts";
import type { Finding } from "./finding.ts";
import { byInstance, hardening, ownerName } from "./hardening.ts";

interface Rule {
  readonly deviates: (configuration: ListedOidcApplication["configuration"]) => boolean;
  readonly message: string;
  readonly fix: string;
  /** Whether the strict profile enforces it, whatever is stored. */
  readonly isEnforcedByProfile?: true;
}

const rules: readonly Rule[] = [
  {
    deviates: ({ grantTypes, responseTypes }) =>
      grantTypes.includes("implicit") || responseTypes.some((type) => type !== "code"),
    message: "get tokens through the browser's address (implicit grant)",
    fix: "use the response type code with PKCE, and remove the implicit grant",
    isEnforcedByProfile: true,
  },
  {
    deviates: ({ redirectUris, postLogoutRedirectUris }) =>
      [...redirectUris, ...postLogoutRedirectUris].some((uri) => /^http:/i.test(uri) && !isLoopbackUri(uri)),
    message: "have http redirect URIs",
    fix: "use https redirect URIs",
  },
  {
    deviates: ({ grantTypes, authMethod, isPkceRequired, profile }) =>
      grantTypes.includes("authorization_code") && authMethod !== "none" && !isPkceRequired && profile === "",
    message: "may sign in without PKCE",
    fix: "set pkceRequired to true",
    isEnforcedByProfile: true,
  },
  {
    deviates: ({ isDevelopmentMode }) => isDevelopmentMode,
    message: "are in development mode",
    fix: "set developmentMode to false",
  },
];

/** Finds the applications that are less strict than docs/hardening.md asks. */
export async function checkHardenedApplications(reader: Reader, isStrict: boolean): Promise<Finding[]> {
  const applications = await listOidcApplications(reader);
  return rules.flatMap(({ deviates, message, fix, isEnforcedByProfile = false }) => {
    if (isStrict && isEnforcedByProfile) return [];
    const found = applications.filter(({ configuration }) => deviates(configuration));
    return byInstance(found, ({ name, applicationId }) => `${name} (${applicationId})`).map(
      ({ instanceId, count, names }) =>
        hardening.warning(
          `${ownerName(instanceId)}: ${count} applications ${message}: ${names}`,
          "the configuration of these applications",
          fix,
        ),
    );
  });
}
