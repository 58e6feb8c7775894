import type { Outbound } from "../../base/outbound/index.ts";
import { authorize, type Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type Application, applicationAbsence, findApplication } from "../application/index.ts";
import { type MetadataSource, obtainMetadata, type SamlOptions } from "../saml-configuration/index.ts";
import { updateApplication } from "./update-application.ts";

export interface SamlApplicationUpdate {
  readonly applicationId: string;
  readonly projectId?: string;
  readonly name?: string;
  /** Replaces what the application has; undefined to keep it. The same address is fetched again. */
  readonly metadata: MetadataSource | undefined;
  readonly options: Partial<SamlOptions>;
}

/** Changes a SAML application, like `updateApplication`, and fetches its metadata if the caller names an address. */
export async function updateSamlApplication(
  deps: { readonly database: Database; readonly outbound: Outbound },
  call: Call,
  { metadata, options, ...input }: SamlApplicationUpdate,
): Promise<Application> {
  // Before anything is fetched or read: only an authorized caller may have us ask other servers.
  const application = await findApplication(deps.database.read, call.instanceId, input.applicationId);
  authorize(call, application, { permission: "project.app.write", ...applicationAbsence });
  const obtained = metadata && (await obtainMetadata(deps, metadata, call.now));
  const fields = { ...options, ...(obtained !== undefined && { metadata: obtained }) };
  return updateApplication(deps, call, { ...input, configuration: { kind: "saml", fields } });
}
