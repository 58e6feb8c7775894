import { isDeepStrictEqual } from "node:util";
import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { LongTx, Reader, Tx } from "../../database/index.ts";
import {
  type AnsweringDeps,
  answeredAfterChange,
  type ProviderChangeDeps,
  refuseUnansweredLinking,
} from "./answer-for-provider.ts";
import { authorizeWriting, requireWriting } from "./authorize-providers.ts";
import { type CheckProviderDeps, checkConfiguration, checkName } from "./check-provider.ts";
import {
  findWrittenProvider,
  holdIdentityProvider,
  nameFormerSpeaker,
  putIdentityProvider,
} from "./identity-provider.store.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import type { ProviderKind } from "./provider-kinds.ts";
import { speakerOf } from "./provider-speaker.ts";
import { type ProviderChange, providerAbsent, recordProviderEvent } from "./record-provider.ts";

/** A provider as the caller names it: of an organization, or of the instance when the organization is empty. */
export interface ProviderKey {
  readonly ownerOrganizationId: string;
  readonly identityProviderId: string;
  /** Only providers of these kinds; to the caller, providers of other kinds do not exist. */
  readonly kinds?: readonly ProviderKind[] | undefined;
}

/**
 * Step: returns a provider that the caller may change, locked until the unit of work ends. What an administrator
 * deactivated the holder of a setup link leaves alone: removed and added again, it would be active.
 */
export async function holdProvider(tx: Tx, key: ProviderKey): Promise<IdentityProvider> {
  await authorizeWriting(tx, key.ownerOrganizationId);
  const current = await holdIdentityProvider(tx, key);
  if (current === undefined || key.kinds?.includes(current.configuration.kind) === false) throw providerAbsent();
  if (tx.call.caller?.setupLinkId !== undefined) refuseStopped(current);
  return current;
}

/** Returns the same without a lock: before what takes time, and is done before the change. */
export async function findWritable(reader: Reader, call: Call, key: ProviderKey): Promise<IdentityProvider> {
  await requireWriting(reader, call, key.ownerOrganizationId);
  const found = await findWrittenProvider(reader, call.instanceId, key.identityProviderId);
  if (found?.ownerOrganizationId !== key.ownerOrganizationId) throw providerAbsent();
  if (key.kinds?.includes(found.configuration.kind) === false) throw providerAbsent();
  if (call.caller?.setupLinkId !== undefined) refuseStopped(found);
  return found;
}

/** Refuses a provider to which the caller could not make a change that keeps its speaker. */
export function checkKept(deps: CheckProviderDeps & AnsweringDeps, call: Call, provider: IdentityProvider): void {
  checkConfiguration(deps, provider.configuration);
  checkName(provider.name, provider.configuration);
  refuseUnansweredLinking(deps, { ...provider, answeredBy: answeredAfterChange(deps, call, provider, false) });
}

/** Refuses a provider that an administrator deactivated. */
export function refuseStopped({ state }: Pick<IdentityProvider, "state">): void {
  if (state !== "active") throw new Fault("failed_precondition", "identity_provider.stopped");
}

/**
 * Step: writes the new values of a locked provider. The current values change nothing. A configuration with another
 * speaker suspends the links of users, because those are of the former one. Refuses a change after which
 * administrators could not sign in.
 */
export async function changeProvider(
  tx: LongTx,
  deps: ProviderChangeDeps,
  current: IdentityProvider,
  wanted: Partial<Pick<IdentityProvider, "name" | "options" | "configuration" | "sealedSecret">>,
  change: ProviderChange,
): Promise<IdentityProvider> {
  const next = { ...current, ...wanted };
  if (isSame(current, next)) return current;
  const speakers = { former: speakerOf(current.configuration), next: speakerOf(next.configuration) };
  const isNewSpeaker = speakers.former !== speakers.next;
  const answeredBy = answeredAfterChange(deps, tx.call, current, isNewSpeaker);
  const answered = { ...next, answeredBy, ...(isNewSpeaker && { speaker: speakers.next }) };
  refuseUnansweredLinking(deps, answered);
  const { sequence } = await recordProviderEvent(tx, answered, change);
  // Administrators with more rights than those who answer from now on can no longer sign in with it, nor anyone whose
  // account is one at the former server.
  return deps.refuseLockout(tx, current.ownerOrganizationId, async () => {
    if (isNewSpeaker && current.speaker === "") {
      await nameFormerSpeaker(tx, current.identityProviderId, speakers.former);
    }
    return putIdentityProvider(tx, answered, sequence);
  });
}

// Compared as JSON, because that is what is stored.
const isSame = (one: IdentityProvider, other: IdentityProvider): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
