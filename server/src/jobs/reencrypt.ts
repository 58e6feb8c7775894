import { minutes } from "../base/clock.ts";
import { type ReencryptDeps, reencrypt as reencryptAll } from "../domain/reencryption/index.ts";
import type { Job } from "./job.ts";

/** Re-encrypts values of former master keys under the newest one, as long as former ones are configured. */
export const reencrypt = (deps: ReencryptDeps): Job => ({
  name: "reencrypt",
  every: minutes(10),
  run: async ({ now, signal }) => {
    if (!deps.vault.hasFormerKeys) return {};
    const call = { instanceId: "", requestId: "job reencrypt", now, language: "en" } as const;
    const { moved, unreadable } = await reencryptAll(deps, call, signal);
    if (unreadable > 0) throw new Error(`${unreadable} stored secrets cannot be opened by any configured master key`);
    return { moved };
  },
});
