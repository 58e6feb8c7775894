import type { Tx } from "../../database/index.ts";
import { mayTrust } from "./api-trust.ts";
import type { Application } from "./application.ts";
import { changeApplication } from "./change-application.ts";

/**
 * Step: ends the trust in a locked application whose secret or key changes, unless an administrator of the instance
 * changes it.
 */
export async function endApiTrust(tx: Tx, application: Application): Promise<Application> {
  if (application.kind !== "oidc" || !application.configuration.isTrustedForApi || mayTrust(tx.call))
    return application;
  return changeApplication(tx, application, { configuration: { kind: "oidc", fields: { isTrustedForApi: false } } });
}
