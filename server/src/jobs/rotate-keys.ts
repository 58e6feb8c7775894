import { minutes } from "../base/clock.ts";
import { listInstanceIds } from "../domain/instance/index.ts";
import type { SettingsReader } from "../domain/settings/index.ts";
import {
  type CreateSigningKeyDeps,
  defaultSigningPeriod,
  type Rotation,
  rotateSigningKeys,
} from "../domain/signing-key/index.ts";
import type { Job } from "./job.ts";

export interface RotateKeysDeps extends CreateSigningKeyDeps {
  readonly settings: SettingsReader;
}

/** Rotates signing keys in every instance. */
export const rotateKeys = (deps: RotateKeysDeps): Job => ({
  name: "rotate_keys",
  every: minutes(10),
  run: async ({ now, signal }) => {
    const counts = { published: 0, activated: 0, removed: 0 };
    const failures: unknown[] = [];
    for (const instanceId of await listInstanceIds(deps.database.read)) {
      if (signal.aborted) break;
      try {
        const { published, activated, removed } = await rotate(deps, instanceId, now);
        counts.published += published.length;
        counts.activated += activated.length;
        counts.removed += removed.length;
      } catch (error) {
        // A failure in one instance must not stop the rotation in the others.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `keys of ${failures.length} instances did not rotate`);
    return counts;
  },
});

async function rotate(deps: RotateKeysDeps, instanceId: string, now: number): Promise<Rotation> {
  const { settings } = await deps.settings.get("oidc", { instanceId });
  const tokenLifetime = Math.max(settings.accessTokenLifetimeSeconds, settings.idTokenLifetimeSeconds) * 1000;
  const call = { instanceId, requestId: "job rotate_keys", now, language: "en" } as const;
  return rotateSigningKeys(deps, call, { signingPeriod: defaultSigningPeriod, tokenLifetime });
}
