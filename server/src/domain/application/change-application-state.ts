import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { updateApplicationState } from "./application.store.ts";
import { type ApplicationState, applicationAggregate } from "./application.ts";
import { type ApplicationReference, authorizeApplication } from "./authorize-application.ts";
import { putOrigins } from "./put-origins.ts";

const events = { active: "application.activated", inactive: "application.deactivated" } as const;

/**
 * Activates or deactivates an application. An inactive application gets no tokens. Setting the current state again is
 * accepted.
 */
export async function changeApplicationState(
  deps: { readonly database: Database },
  call: Call,
  input: ApplicationReference & { readonly state: ApplicationState },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const application = await authorizeApplication(tx, input);
    const changed = await updateApplicationState(tx, application.applicationId, input.state);
    if (changed === undefined) return application.details;
    await putOrigins(tx, changed);
    tx.record({ type: events[input.state], ...applicationAggregate(changed), sequence: changed.details.sequence });
    return changed.details;
  });
}
