import { Fault } from "../../base/fault.ts";
import type { Application, Configuration } from "./application.ts";

/** Returns the name of a state of an application. Its secret and its keys are part of the state. */
export const etagOfApplication = ({ applicationId, details }: Application): string =>
  `${applicationId}-${details.sequence}`;

/**
 * Refuses a change of a locked application that is another than the caller read. A change that gives trust must name
 * what was read, because it vouches for addresses and keys that others may have changed since.
 */
export function refuseUnexpected(before: Application, after: Application, etag: string | undefined): void {
  if (etag !== undefined && etag !== etagOfApplication(before)) {
    throw new Fault("failed_precondition", "application.changed", { field: "etag" });
  }
  if (etag === undefined && isTrustGiven(before.configuration, after.configuration)) {
    throw new Fault("failed_precondition", "application.etag_missing", { field: "etag" });
  }
}

const isTrustGiven = (before: Configuration, after: Configuration): boolean =>
  "isTrustedForApi" in before &&
  "isTrustedForApi" in after &&
  ((after.isTrustedForApi && !before.isTrustedForApi) || (before.isConsentRequired && !after.isConsentRequired));
