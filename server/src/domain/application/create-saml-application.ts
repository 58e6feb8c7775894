import { encodeBase64Url } from "../../base/base64url.ts";
import type { Outbound } from "../../base/outbound/index.ts";
import { authorize, type Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findProject, projectAbsence } from "../project/index.ts";
import {
  createSamlConfiguration,
  defaultSamlOptions,
  type MetadataSource,
  obtainMetadata,
  type SamlOptions,
} from "../saml-configuration/index.ts";
import type { CreateApplicationDeps, CreatedApplication } from "./create-application.ts";
import { createApplicationInProject } from "./create-application-in-project.ts";

export interface NewSamlApplication {
  readonly projectId: string;
  /** Chosen by the caller, or generated. */
  readonly applicationId?: string;
  readonly name: string;
  readonly metadata: MetadataSource;
  readonly options: Partial<SamlOptions>;
}

/**
 * Registers a SAML service provider in a project for a caller who may do so, by its metadata, which is fetched now if
 * it is an address. Throws the Faults of reading it, and those of `claimPartner`.
 */
export async function createSamlApplication(
  deps: CreateApplicationDeps & { readonly database: Database; readonly outbound: Outbound },
  call: Call,
  { metadata, options, ...input }: NewSamlApplication,
): Promise<CreatedApplication> {
  // Before anything is fetched or read: only an authorized caller may have us ask other servers.
  const project = await findProject(deps.database.read, call.instanceId, input.projectId);
  authorize(call, project, { permission: "project.app.write", ...projectAbsence });
  const obtained = await obtainMetadata(deps, metadata, call.now);
  const salt = encodeBase64Url(deps.random(32));
  const configuration = createSamlConfiguration(obtained, { ...defaultSamlOptions, ...options }, salt);
  return createApplicationInProject(deps, call, { ...input, kind: "saml", configuration });
}
