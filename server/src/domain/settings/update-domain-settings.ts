import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { holdOrganization, orLeaveNames, takeDomainsAlone, takeNamingAlone } from "../organization/index.ts";
import type { DomainSettings } from "./documents/domain-settings.ts";
import { clearSettings } from "./reset-settings.ts";
import { listFollowers, type NamedOrganization } from "./settings.store.ts";
import { readSettings } from "./settings-reader.ts";
import { type SettingsChange, writeSettings } from "./write-settings.ts";

export interface DomainSettingsDeps {
  readonly database: Database;
  /** Step of a later module (`user`): forms the login names of an organization's users as the settings now require. */
  readonly renameLoginNames: (tx: Tx, organization: NamedOrganization) => Promise<void>;
}

/**
 * Changes domain settings, in turns. Login names that change with them are formed again before it ends, many of them in
 * batches before the change (`renameLoginNames`).
 */
export function updateDomainSettings(
  deps: DomainSettingsDeps,
  call: Call,
  input: Omit<SettingsChange<"domain">, "kind">,
): Promise<Details> {
  return withNames(deps, call, input.organizationId, (tx) => writeSettings(tx, { kind: "domain", ...input }));
}

/** Lets an organization follow its instance again, with its login names. Returns undefined when it already does. */
export function resetDomainSettings(
  deps: DomainSettingsDeps,
  call: Call,
  { organizationId }: { readonly organizationId: string },
): Promise<Details | undefined> {
  return withNames(deps, call, organizationId, (tx) => clearSettings(tx, { kind: "domain", organizationId }));
}

function withNames<Result>(
  deps: DomainSettingsDeps,
  call: Call,
  organizationId: string | undefined,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const forming = { organizationId, isBegun: false };
  const change = deps.database.changeAtLength(call, async (tx) => {
    // One after another: what each compares is what the last one left.
    takeDomainsAlone(tx);
    if (organizationId === undefined) takeNamingAlone(tx);
    const includesDomain = async () => (await readDomain(tx, organizationId)).loginNameIncludesDomain;
    const before = await includesDomain();
    const result = await work(tx);
    if ((await includesDomain()) === before) return result;
    forming.isBegun = true;
    // A concurrent creation of a user waits, and then reads the new settings: for the organization, or for the rule.
    const concerned =
      organizationId === undefined
        ? await listFollowers(tx, "domain")
        : [await holdOrganization(tx, organizationId, "alone")];
    for (const organization of concerned) {
      if (organization !== undefined) await deps.renameLoginNames(tx, organization);
    }
    return result;
  });
  return orLeaveNames(deps, call, forming, change);
}

const readDomain = async (tx: Tx, organizationId: string | undefined): Promise<DomainSettings> =>
  (await readSettings(tx, "domain", { instanceId: tx.instanceId, organizationId })).settings;
