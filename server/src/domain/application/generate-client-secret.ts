import { Fault } from "../../base/fault.ts";
import type { Random } from "../../base/random.ts";
import { hashSecret, type Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { generateCode } from "../one-time-secret/index.ts";
import { readCodeFormat } from "../settings/index.ts";
import { updateSecretHash } from "./application.store.ts";
import { type ApplicationKind, applicationAggregate, usesSecret } from "./application.ts";
import { type ApplicationReference, authorizeApplication } from "./authorize-application.ts";
import { endApiTrust } from "./end-api-trust.ts";

/**
 * Generates a new client secret; the former one stops working at once. Only the return value reveals it. Rejects an
 * application of another kind than the caller expects, if the caller states a kind.
 */
export async function generateClientSecret(
  deps: { readonly database: Database; readonly random: Random },
  call: Call,
  input: ApplicationReference & { readonly kind?: ApplicationKind },
): Promise<{ readonly clientSecret: Secret; readonly details: Details }> {
  return deps.database.change(call, async (tx) => {
    const application = await authorizeApplication(tx, input);
    if (input.kind !== undefined && input.kind !== application.kind) {
      throw new Fault("invalid_argument", "application.kind_differs", { field: "applicationId" });
    }
    if (!usesSecret(application.configuration)) throw new Fault("failed_precondition", "application.secret_not_used");
    await endApiTrust(tx, application);
    const clientSecret = generateCode(deps.random, await readCodeFormat(tx, tx.instanceId, "client_secret"));
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
