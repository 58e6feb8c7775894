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

/** Makes a generic OpenID provider one of the templates. It stays the same provider, so whoever is tied to it stays so. */
export function migrateOidcProvider(
  deps: UpdateIdentityProviderDeps,
  call: Call,
  { name, options, configuration, secret, ...key }: ProviderMigration,
): Promise<IdentityProvider> {
  return deps.database.change(call, async (tx) => {
    const current = await holdProvider(tx, { ...key, kinds: ["oidc"] });
    checkConfiguration(deps, configuration);
    const sealedSecret = nextSecret(deps, current, configuration, secret);
    const wanted = { name: checkName(name, configuration), options, configuration, sealedSecret };
    return changeProvider(tx, current, wanted, "migrated");
  });
}
