import { type Call, requireCaller, withoutLoginClient } from "../../call/index.ts";

/** What a script is trusted with beyond its organization, by what its last author could do in the whole instance. */
export interface ScriptTrust {
  /** The author may write the scripts of every organization: its claims count, and it sees role assignments, of all. */
  readonly isByInstance: boolean;
  /** The author may change the instance's identity providers: it sees what they issue to users. */
  readonly seesProviderTokens: boolean;
  /** The author may change targets: as these do, it reaches what the operator allows besides public servers. */
  readonly reachesPrivateNetworks: boolean;
}

/** Returns what scripts of the caller are trusted with. */
export function trustOfCaller(call: Call): ScriptTrust {
  const access = withoutLoginClient(requireCaller(call).access);
  return {
    isByInstance: access.allows("org.action.write", {}),
    seesProviderTokens: access.allows("iam.idp.write", {}),
    reachesPrivateNetworks: access.allows("action.target.write", {}),
  };
}

/** Returns what both trust a script with. */
export const sharedTrust = (one: ScriptTrust, other: ScriptTrust): ScriptTrust => ({
  isByInstance: one.isByInstance && other.isByInstance,
  seesProviderTokens: one.seesProviderTokens && other.seesProviderTokens,
  reachesPrivateNetworks: one.reachesPrivateNetworks && other.reachesPrivateNetworks,
});

const bits = { isByInstance: 1, seesProviderTokens: 2, reachesPrivateNetworks: 4 } as const satisfies Record<
  keyof ScriptTrust,
  number
>;

/** Returns trust as it is stored: the sum of its bits. Scripts from before these bits have the first one alone. */
export const formatTrust = (trust: ScriptTrust): number =>
  (trust.isByInstance ? bits.isByInstance : 0) +
  (trust.seesProviderTokens ? bits.seesProviderTokens : 0) +
  (trust.reachesPrivateNetworks ? bits.reachesPrivateNetworks : 0);

/** Reads stored trust. */
export const parseTrust = (stored: number): ScriptTrust => ({
  isByInstance: (stored & bits.isByInstance) !== 0,
  seesProviderTokens: (stored & bits.seesProviderTokens) !== 0,
  reachesPrivateNetworks: (stored & bits.reachesPrivateNetworks) !== 0,
});
