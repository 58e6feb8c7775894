import type { Call } from "../call/index.ts";
import type { SettingsReader } from "../domain/settings/index.ts";

/** How an instance handles applications of one organization and users of another. */
export interface ConsentPolicy {
  /** Whether applications get the data of users of other organizations without consent. */
  readonly isSkippedAcrossOrganizations: boolean;
  /** The organization whose applications serve the users of all others. */
  readonly defaultOrganizationId: string;
}

export interface ConsentPolicyDeps {
  readonly settings: SettingsReader;
  /** Returns the id of the instance's default organization. */
  readonly defaultOrganizationIdOf: (instanceId: string) => Promise<string>;
}

/** Returns the policy of the instance, as a rule from memory. */
export async function readConsentPolicy(
  deps: ConsentPolicyDeps,
  { instanceId }: Pick<Call, "instanceId">,
): Promise<ConsentPolicy> {
  const { settings } = await deps.settings.get("security", { instanceId });
  const defaultOrganizationId = await deps.defaultOrganizationIdOf(instanceId);
  return { isSkippedAcrossOrganizations: settings.skipConsentAcrossOrganizations, defaultOrganizationId };
}
