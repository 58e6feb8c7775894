import type { Random } from "../../base/random.ts";
import { hashSecret, type Secret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { generateCode } from "../one-time-secret/index.ts";
import { readCodeFormat } from "../settings/index.ts";
import { updateSecretHash } from "./application.store.ts";
import { type Application, applicationAggregate, usesSecret } from "./application.ts";

/** An application and its new secret, which only this value reveals. */
export interface ApplicationWithSecret {
  readonly application: Application;
  readonly clientSecret: Secret;
}

/**
 * Step: gives a locked application a new secret; the former one stops working at once. Undefined when it does not
 * authenticate with a secret, or is gone.
 */
export async function giveSecret(
  tx: Tx,
  deps: { readonly random: Random },
  { applicationId, configuration }: Pick<Application, "applicationId" | "configuration">,
): Promise<ApplicationWithSecret | undefined> {
  if (!usesSecret(configuration)) return undefined;
  const clientSecret = generateCode(deps.random, await readCodeFormat(tx, tx.instanceId, "client_secret"));
  const application = await updateSecretHash(tx, applicationId, hashSecret(clientSecret));
  if (application === undefined) return undefined;
  tx.record({
    type: "application.secret.generated",
    ...applicationAggregate(application),
    sequence: application.details.sequence,
  });
  return { application, clientSecret };
}
