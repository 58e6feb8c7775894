import type { Secret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { AddIdentityProviderDeps } from "./add-identity-provider.ts";
import type { ProviderChangeDeps } from "./answer-for-provider.ts";
import { changeProvider, holdProvider, type ProviderKey } from "./change-provider.ts";
import { type CheckProviderDeps, checkConfiguration, checkName } from "./check-provider.ts";
import type { ConfigurationOf, IdentityProvider, IdentityProviderOf } from "./identity-provider.ts";
import type { ProviderKind } from "./provider-kinds.ts";
import { nextSecret } from "./provider-secret.ts";

export interface UpdateIdentityProviderDeps extends CheckProviderDeps, ProviderChangeDeps {
  readonly database: Database;
  readonly vault: Vault;
}

/** Dependencies of methods that add and change providers. */
export type ProviderDeps = AddIdentityProviderDeps & UpdateIdentityProviderDeps;

export interface ProviderUpdate<Kind extends ProviderKind> extends ProviderKey {
  readonly kinds: readonly Kind[];
  /**
   * Derives the new values from the current ones. Absent values stay, including the secret if it is still sent to the
   * same server.
   */
  readonly change: (current: IdentityProviderOf<Kind>) => {
    readonly name?: string;
    readonly options?: IdentityProvider["options"];
    readonly configuration?: ConfigurationOf<Kind>;
    readonly secret?: Secret | undefined;
  };
}

/** Changes a provider, in any state. Without any difference it succeeds without an event. */
export function updateIdentityProvider<Kind extends ProviderKind>(
  deps: UpdateIdentityProviderDeps,
  call: Call,
  input: ProviderUpdate<Kind>,
): Promise<IdentityProvider> {
  return deps.database.changeAtLength(call, async (tx) => {
    const current = await holdProvider(tx, input);
    const { secret, ...wanted } = input.change(current as IdentityProviderOf<Kind>);
    const { name, configuration } = { ...current, ...wanted };
    checkConfiguration(deps, configuration);
    const sealedSecret = nextSecret(deps, current, configuration, secret);
    return changeProvider(
      tx,
      deps,
      current,
      { ...wanted, name: checkName(name, configuration), sealedSecret },
      "changed",
    );
  });
}
