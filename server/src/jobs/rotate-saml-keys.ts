import { hours } from "../base/clock.ts";
import { listInstancesWithSamlKeys, rotateSamlKeys as rotate, type SamlKeyDeps } from "../domain/saml-key/index.ts";
import type { Job } from "./job.ts";

/** Rotates the keys that sign SAML messages, in every instance that has some. */
export const rotateSamlKeys = (deps: SamlKeyDeps): Job => ({
  name: "rotate_saml_keys",
  every: hours(1),
  run: async ({ now, signal }) => {
    const counts = { published: 0, activated: 0, removed: 0 };
    const failures: unknown[] = [];
    for (const instanceId of await listInstancesWithSamlKeys(deps.database.read)) {
      if (signal.aborted) break;
      try {
        const call = { instanceId, requestId: "job rotate_saml_keys", now, language: "en" } as const;
        const { published, activated, removed } = await rotate(deps, call);
        counts.published += published.length;
        counts.activated += activated.length;
        counts.removed += removed.length;
      } catch (error) {
        // A failure in one instance must not stop the rotation in the others.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `SAML keys of ${failures.length} instances stay`);
    return counts;
  },
});
