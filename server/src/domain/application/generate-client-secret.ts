import { Fault } from "../../base/fault.ts";
import type { Random } from "../../base/random.ts";
import { generateSecret, hashSecret, type Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { updateSecretHash } from "./application.store.ts";
import { applicationAggregate, usesSecret } from "./application.ts";
import { type ApplicationReference, authorizeApplication } from "./authorize-application.ts";

/** Makes a new client secret; the former one is dead. The answer is the only place where it can be read. */
export async function generateClientSecret(
  deps: { readonly database: Database; readonly random: Random },
  call: Call,
  input: ApplicationReference,
): Promise<{ readonly clientSecret: Secret; readonly details: Details }> {
  return deps.database.change(call, async (tx) => {
    const application = await authorizeApplication(tx, input);
    if (!usesSecret(application.configuration)) throw new Fault("failed_precondition", "application.secret_not_used");
    const clientSecret = generateSecret(deps.random);
    const changed = await updateSecretHash(tx, application.applicationId, hashSecret(clientSecret));
    if (changed === undefined) throw new Fault("not_found", "application.not_found");
    tx.record({
      type: "application.secret.generated",
      ...applicationAggregate(changed),
      sequence: changed.details.sequence,
    });
    return { clientSecret, details: changed.details };
  });
}
