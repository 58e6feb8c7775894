import { Fault } from "../../base/fault.ts";
import type { Outbound } from "../../base/outbound/index.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import {
  changeApplication,
  type DuePartner,
  findApplication,
  holdApplication,
  moveRefresh,
  type SamlApplication,
} from "../application/index.ts";
import { fetchMetadata, nextRefreshOf, type SamlChanges } from "../saml-configuration/index.ts";
import { endConsentsIfElsewhere } from "./update-application.ts";

/** `unchanged`: another node does it, or the metadata is what it was. */
export type RefreshOutcome = "refreshed" | "unchanged" | "failed";

/**
 * Fetches the metadata of an application again, if it is still due. Metadata that cannot be fetched, or with which the
 * application could not be, leaves it as it is and is noted there. Consents end when assertions may go to another
 * origin: users agreed to the host that the page named.
 */
export async function refreshSamlMetadata(
  deps: { readonly database: Database; readonly outbound: Outbound },
  call: Call,
  due: DuePartner,
): Promise<RefreshOutcome> {
  const { database } = deps;
  const found = await findApplication(database.read, call.instanceId, due.applicationId);
  const next = found?.kind === "saml" ? nextRefreshOf(found.configuration, call.now) : undefined;
  if (found?.kind !== "saml" || next === undefined) return "unchanged";
  // The claim of this attempt.
  if (!(await database.touch(call, (tx) => moveRefresh(tx, due, next)))) return "unchanged";
  const fields = await obtain(deps, call, found);
  return database
    .change(call, async (tx) => {
      const application = await holdApplication(tx, due.applicationId);
      // An administrator may have changed it meanwhile.
      if (application?.kind !== "saml" || application.details.sequence !== found.details.sequence) return "unchanged";
      const changed = await changeApplication(tx, application, { configuration: { kind: "saml", fields } });
      await endConsentsIfElsewhere(tx, application, changed);
      if (fields.metadata === undefined) return "failed";
      return changed === application ? "unchanged" : "refreshed";
    })
    .catch(async (error: unknown): Promise<RefreshOutcome> => {
      if (!(error instanceof Fault)) throw error;
      return noteFailure(deps, call, found, error.id);
    });
}

async function obtain(
  deps: { readonly outbound: Outbound },
  call: Call,
  { configuration }: SamlApplication,
): Promise<SamlChanges> {
  try {
    const metadata = await fetchMetadata(deps, configuration.metadataUrl, call.now);
    const isSame = metadata.metadataXml === configuration.metadataXml;
    return { metadata: isSame ? { ...metadata, metadataAt: configuration.metadataAt } : metadata };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { metadataFailure: reasonOf(error) };
  }
}

const reasonOf = ({ id, values: { reason = id } }: Fault): string => String(reason);

/** Notes why what was fetched could not be used: its entity id is another application's, or a key is missing. */
async function noteFailure(
  { database }: { readonly database: Database },
  call: Call,
  { applicationId, details }: SamlApplication,
  metadataFailure: string,
): Promise<RefreshOutcome> {
  await database.change(call, async (tx) => {
    const application = await holdApplication(tx, applicationId);
    if (application?.kind !== "saml" || application.details.sequence !== details.sequence) return;
    await changeApplication(tx, application, { configuration: { kind: "saml", fields: { metadataFailure } } });
  });
  return "failed";
}
