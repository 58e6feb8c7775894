import { authorize, type Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findApplication } from "./application.store.ts";
import { type Application, applicationAbsence } from "./application.ts";
import { type ApplicationReference, isNamed } from "./authorize-application.ts";

/**
 * Returns the application, for a caller who may read applications of its project. Under another project's id it does
 * not exist.
 */
export async function getApplication(
  deps: { readonly database: Database },
  call: Call,
  input: ApplicationReference,
): Promise<Application> {
  const found = await findApplication(deps.database.read, call.instanceId, input.applicationId);
  const application = isNamed(found, input) ? found : undefined;
  authorize(call, application, { permission: applicationAbsence.readPermission, ...applicationAbsence });
  return application;
}
