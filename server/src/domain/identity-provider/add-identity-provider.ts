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

/** Refuses a provider that could not be added whatever its owner has. Returns what follows from it and the caller. */
export function checkNewProvider(
  deps: CheckProviderDeps & AnsweringDeps,
  call: Call,
  input: Omit<NewIdentityProvider, "secret">,
): Pick<IdentityProvider, "name" | "answeredBy"> {
  checkConfiguration(deps, input.configuration);
  const name = checkName(input.name, input.configuration);
  const answeredBy = [answeringOf(call, input)];
  refuseUnansweredLinking(deps, { ...input, answeredBy });
  return { name, answeredBy };
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
    const checked = checkNewProvider(deps, call, input);
    const { instanceId } = tx;
    const key = { instanceId, identityProviderId: deps.newId(), sealedSecret: null };
    const sealedSecret = nextSecret(deps, { ...key, configuration: undefined }, configuration, secret);
    const speaker = speakerOf(configuration);
    const added = { ...input, ...key, ...checked, sealedSecret, speaker, state: "active" } as const;
    const { sequence } = await recordProviderEvent(tx, added, "added");
    return putIdentityProvider(tx, added, sequence);
  });
}
