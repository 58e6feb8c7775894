import type { IdGenerator } from "../../base/id.ts";
import type { Secret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type AnsweringDeps, answeringOf, refuseUnansweredLinking } from "./answer-for-provider.ts";
import { authorizeWriting } from "./authorize-providers.ts";
import { type CheckProviderDeps, checkConfiguration, checkName } from "./check-provider.ts";
import { putIdentityProvider } from "./identity-provider.store.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { nextSecret } from "./provider-secret.ts";
import { speakerOf } from "./provider-speaker.ts";
import { recordProviderEvent } from "./record-provider.ts";

export interface AddIdentityProviderDeps extends CheckProviderDeps, AnsweringDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
  readonly vault: Vault;
}

export interface NewIdentityProvider
  extends Pick<IdentityProvider, "ownerOrganizationId" | "name" | "options" | "configuration"> {
  /** The secret of our client at the provider; required for kinds that have one. */
  readonly secret?: Secret | undefined;
}

/** Adds an active provider to an organization, or to the instance. The login offers it once its settings name it. */
export function addIdentityProvider(
  deps: AddIdentityProviderDeps,
  call: Call,
  { secret, ...input }: NewIdentityProvider,
): Promise<IdentityProvider> {
  const { configuration } = input;
  return deps.database.change(call, async (tx) => {
    await authorizeWriting(tx, input.ownerOrganizationId);
    checkConfiguration(deps, configuration);
    const name = checkName(input.name, configuration);
    const { instanceId } = tx;
    const key = { instanceId, identityProviderId: deps.newId(), sealedSecret: null };
    const sealedSecret = nextSecret(deps, { ...key, configuration: undefined }, configuration, secret);
    const answeredBy = [answeringOf(call, input)];
    const speaker = speakerOf(configuration);
    const added = { ...input, ...key, name, sealedSecret, speaker, answeredBy, state: "active" } as const;
    refuseUnansweredLinking(deps, added);
    const { sequence } = await recordProviderEvent(tx, added, "added");
    return putIdentityProvider(tx, added, sequence);
  });
}
