import { createCache, type Database } from "../../database/index.ts";
import { listActiveScripts, listTriggersInUse } from "./flow.store.ts";
import type { FlowName, TriggerName } from "./flow.ts";
import type { Script } from "./script.ts";

/** Where scripts run. */
export interface TriggerPoint {
  readonly flow: FlowName;
  readonly trigger: TriggerName;
}

/** Caches which scripts run where, current as of the last committed event. */
export interface ScriptDirectory {
  /**
   * Whether scripts of any organization of the instance run at a trigger: synchronous when that is cached, which is the
   * rule.
   */
  hasAny(instanceId: string, point: TriggerPoint): boolean | Promise<boolean>;
  /** Lists the active scripts of an organization at a trigger, in the order in which they run. */
  list(instanceId: string, organizationId: string, point: TriggerPoint): Promise<readonly Script[]>;
}

interface TriggersInUse {
  readonly organizations: ReadonlyMap<string, ReadonlySet<string>>;
  readonly length: number;
}

interface OrganizationScripts {
  readonly byTrigger: ReadonlyMap<string, readonly Script[]>;
  readonly length: number;
}

// One organization has at most a hundred scripts, of 40,000 bytes each.
const mostCharacters = 32 * 1024 * 1024;

/** Creates the directory that every sign-in and every token asks. */
export function createScriptDirectory({ database }: { readonly database: Database }): ScriptDirectory {
  const ofInstances = createCache<TriggersInUse>(database, {
    load: async (instanceId) => toTriggersInUse(await listTriggersInUse(database.read, instanceId)),
    aggregateTypes: ["action", "organization"],
    isStaleAfter: ({ type, instanceId }, _triggers, key) => instanceId === key && changesScripts(type),
    lengthOf: ({ length }) => length,
    mostCharacters,
  });
  const ofOrganizations = createCache<OrganizationScripts>(database, {
    load: async (key) => {
      const [instanceId = "", organizationId = ""] = key.split("\n");
      const placed = await listActiveScripts(database.read, instanceId, organizationId);
      const grouped = Map.groupBy(placed, keyOf);
      const byTrigger = new Map([...grouped].map(([point, each]) => [point, each.map(({ script }) => script)]));
      return { byTrigger, length: placed.reduce((sum, { script }) => sum + script.script.length, 100) };
    },
    aggregateTypes: ["action", "organization"],
    isStaleAfter: ({ type, instanceId, ownerId }, _scripts, key) =>
      changesScripts(type) && key === `${instanceId}\n${ownerId}`,
    lengthOf: ({ length }) => length,
    mostCharacters,
  });
  const inUse = (instanceId: string) => ofInstances.get(instanceId) as TriggersInUse | Promise<TriggersInUse>;
  return {
    hasAny: (instanceId, point) => {
      const triggers = inUse(instanceId);
      return triggers instanceof Promise
        ? triggers.then(({ organizations }) => organizations.has(keyOf(point)))
        : triggers.organizations.has(keyOf(point));
    },
    list: async (instanceId, organizationId, point) => {
      const { organizations } = await inUse(instanceId);
      if (organizations.get(keyOf(point))?.has(organizationId) !== true) return [];
      const scripts = await ofOrganizations.get(`${instanceId}\n${organizationId}`);
      return scripts?.byTrigger.get(keyOf(point)) ?? [];
    },
  };
}

const keyOf = ({ flow, trigger }: TriggerPoint): string => `${flow}\n${trigger}`;

const changesScripts = (type: string): boolean =>
  type.startsWith("action.") || type.startsWith("organization.flow.") || type === "organization.deleted";

function toTriggersInUse(rows: readonly (TriggerPoint & { readonly organizationId: string })[]): TriggersInUse {
  const grouped = Map.groupBy(rows, keyOf);
  const organizations = new Map(
    [...grouped].map(([point, each]) => [point, new Set(each.map(({ organizationId }) => organizationId))]),
  );
  return { organizations, length: rows.reduce((sum, { organizationId }) => sum + organizationId.length + 50, 100) };
}
