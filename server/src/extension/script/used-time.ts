import type { ScriptOwner } from "./script-owner.ts";

/** How long the runs of instances and organizations had turns lately. */
export interface UsedTime {
  begin(whose: ScriptOwner): void;
  end(whose: ScriptOwner): void;
  /** Milliseconds of all runs of its instance together. */
  ofInstance(whose: ScriptOwner): number;
  /** Milliseconds, but no more than one run has that never ends: who had several turns is not behind for long. */
  ofOrganization(whose: ScriptOwner): number;
}

interface Account {
  running: number;
  used: number;
  at: number;
}

// What is left of a use after some of these periods is as good as nothing.
const negligible = 20;

/** Creates the accounts of a process. What was used fades within `memory` milliseconds, exponentially. */
export function createUsedTime(memory: number, clock: () => number): UsedTime {
  const accounts = new Map<string, Account>();
  let sweepAt = 256;

  const settle = (account: Account): Account => {
    const now = clock();
    const left = Math.exp((account.at - now) / memory);
    account.used = account.used * left + account.running * memory * (1 - left);
    account.at = now;
    return account;
  };
  const usedBy = (key: string): number => {
    const account = accounts.get(key);
    return account === undefined ? 0 : settle(account).used;
  };
  const add = (whose: ScriptOwner, running: number): void => {
    for (const key of [instanceKey(whose), organizationKey(whose)]) {
      const account = accounts.get(key) ?? { running: 0, used: 0, at: clock() };
      settle(account).running += running;
      accounts.set(key, account);
    }
  };
  const sweep = (): void => {
    if (accounts.size < sweepAt) return;
    for (const [key, account] of accounts) {
      if (account.running === 0 && settle(account).used < negligible) accounts.delete(key);
    }
    sweepAt = Math.max(256, accounts.size * 2);
  };

  return {
    begin: (whose) => {
      sweep();
      add(whose, 1);
    },
    end: (whose) => add(whose, -1),
    ofInstance: (whose) => usedBy(instanceKey(whose)),
    ofOrganization: (whose) => Math.min(memory, usedBy(organizationKey(whose))),
  };
}

const instanceKey = ({ instanceId }: ScriptOwner): string => JSON.stringify([instanceId]);

const organizationKey = ({ instanceId, organizationId }: ScriptOwner): string =>
  JSON.stringify([instanceId, organizationId]);
