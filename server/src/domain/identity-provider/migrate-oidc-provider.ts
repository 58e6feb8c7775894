import type { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import { changeProvider, holdProvider, type ProviderKey } from "./change-provider.ts";
import { checkConfiguration, checkName } from "./check-provider.ts";
import type { ConfigurationOf, IdentityProvider } from "./identity-provider.ts";
import { nextSecret } from "./provider-secret.ts";
import type { UpdateIdentityProviderDeps } from "./update-identity-provider.ts";

export interface ProviderMigration extends Omit<ProviderKey, "kinds"> {
  readonly name: string;
  readonly options: IdentityProvider["options"];
  readonly configuration: ConfigurationOf<"google" | "azure_ad">;
  readonly secret: Secret | undefined;
}

/**
 * Converts a generic OpenID provider to one of the templates. The provider keeps its id, so the links of users stay
 * valid.
 */
export function migrateOidcProvider(
  deps: UpdateIdentityProviderDeps,
  call: Call,
  { name, options, configuration, secret, ...key }: ProviderMigration,
): Promise<IdentityProvider> {
  return deps.database.changeAtLength(call, async (tx) => {
    const current = await holdProvider(tx, { ...key, kinds: ["oidc"] });
    checkConfiguration(deps, configuration);
    const sealedSecret = nextSecret(deps, current, configuration, secret);
    const wanted = { name: checkName(name, configuration), options, configuration, sealedSecret };
    return changeProvider(tx, deps, current, wanted, "migrated");
  });
}
