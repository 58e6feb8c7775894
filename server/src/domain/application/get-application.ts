import { authorize, type Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findApplication } from "./application.store.ts";
import { type Application, applicationAbsence } from "./application.ts";

/** The application, for a caller who may read applications of its project. */
export async function getApplication(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly applicationId: string },
): Promise<Application> {
  const application = await findApplication(deps.database.read, call.instanceId, input.applicationId);
  authorize(call, application, { permission: applicationAbsence.readPermission, ...applicationAbsence });
  return application;
}
