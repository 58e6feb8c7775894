import { Fault } from "../../base/fault.ts";
import type { Random } from "../../base/random.ts";
import type { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { type ApplicationKind, usesSecret } from "./application.ts";
import { type ApplicationReference, authorizeApplication } from "./authorize-application.ts";
import { endApiTrust } from "./end-api-trust.ts";
import { giveSecret } from "./give-secret.ts";

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
    const given = await giveSecret(tx, deps, application);
    if (given === undefined) throw new Fault("not_found", "application.not_found");
    return { clientSecret: given.clientSecret, details: given.application.details };
  });
}
