import type { MessageInitShape } from "@bufbuild/protobuf";
import { ActionService } from "@doorward/api/service/action/v2/action_service_pb";
import {
  type ConditionSchema,
  ExecutionFieldName,
  type ExecutionSchema,
  type ExecutionSearchFilter,
  ExecutionType,
  type Condition as WireCondition,
} from "@doorward/api/service/action/v2/execution_pb";
import { Fault } from "../../../base/fault.ts";
import type { Database } from "../../../database/index.ts";
import {
  type Condition,
  type Execution,
  type ExecutionFilter,
  type ExecutionKind,
  type ExecutionSearch,
  executionIdOf,
  functionNames,
  listExecutions,
  setExecution,
} from "../../../domain/action/index.ts";
import { eventTypes, originalNames } from "../../../event/index.ts";
import { type Binding, bind, refuseFilter, toPage, toPagination, toTimestamp } from "../../contract/index.ts";

export interface ExecutionMethodsDeps {
  readonly database: Database;
  /** Namespace words that are accepted instead of our own in the names of methods and services. */
  readonly namespaceAliases: readonly string[];
  /** Methods that a condition can name: `service.user.v2.UserService/CreateUser`. */
  readonly methodNames: readonly string[];
}

/** Methods on executions. */
export const executionMethods = (deps: ExecutionMethodsDeps): Binding =>
  bind(ActionService, {
    async setExecution(call, { condition, targets }) {
      const { condition: wanted, word } = readCondition(deps, condition, {
        field: "condition",
        spoken: call.alias,
      });
      checkExists(deps, wanted);
      return { setDate: toTimestamp(await setExecution(deps, call, { condition: wanted, word, targetIds: targets })) };
    },
    async listExecutions(call, { pagination, sortingColumn = ExecutionFieldName.UNSPECIFIED, filters }) {
      const requested = toPage(pagination);
      const { rows, total } = await listExecutions(deps, call, {
        ...requested,
        orderBy: columns[sortingColumn] ?? refuseFilter("sortingColumn"),
        filters: filters.map((filter, index) => toFilter(deps, filter, `filters[${index}]`)),
      });
      return { pagination: toPagination(total, requested.page), executions: rows.map(toMessage) };
    },
    async listExecutionFunctions() {
      return { functions: [...functionNames] };
    },
    async listExecutionMethods() {
      return { methods: deps.methodNames.map((name) => `/${name}`) };
    },
    async listExecutionServices() {
      return { services: servicesOf(deps.methodNames) };
    },
  });

const servicesOf = (methodNames: readonly string[]): string[] => [
  ...new Set(methodNames.map((name) => name.slice(0, name.indexOf("/")))),
];

const columns: Readonly<Partial<Record<ExecutionFieldName, ExecutionSearch["orderBy"]>>> = {
  [ExecutionFieldName.UNSPECIFIED]: "id",
  [ExecutionFieldName.ID]: "id",
  [ExecutionFieldName.CREATED_DATE]: "created_at",
  [ExecutionFieldName.CHANGED_DATE]: "changed_at",
};

interface ReadCondition {
  readonly condition: Condition;
  /** The namespace word of the names in it. */
  readonly word: string;
}

const ownWord = "service";

function readCondition(
  deps: Pick<ExecutionMethodsDeps, "namespaceAliases">,
  message: WireCondition | undefined,
  { field, spoken = ownWord }: { readonly field: string; readonly spoken?: string | undefined },
): ReadCondition {
  const type = message?.conditionType;
  const refuse = (): never => {
    throw new Fault("invalid_argument", "execution.condition_required", { field });
  };
  switch (type?.case) {
    case "request":
    case "response":
      return readCallCondition(deps, type.case, type.value.condition) ?? refuse();
    case "event": {
      const { condition } = type.value;
      if (condition.case === undefined) return refuse();
      if (condition.case === "all") return { condition: { kind: "event", all: true }, word: spoken };
      const { value } = condition;
      if (condition.case === "event") {
        return { condition: { kind: "event", event: value }, word: wordOfEvents(deps, spoken, isEventType(value)) };
      }
      // Both spellings of a group are in use: with and without `.*`.
      const group = value.replace(/\.\*$/, "");
      return { condition: { kind: "event", group }, word: wordOfEvents(deps, spoken, isGroup(eventTypes, group)) };
    }
    case "function":
      return { condition: { kind: "function", name: type.value.name.toLowerCase() }, word: ownWord };
    case undefined:
      return refuse();
    default:
      return type satisfies never;
  }
}

function readCallCondition(
  { namespaceAliases }: Pick<ExecutionMethodsDeps, "namespaceAliases">,
  kind: "request" | "response",
  condition: Extract<WireCondition["conditionType"], { case: "request" }>["value"]["condition"],
): ReadCondition | undefined {
  if (condition.case === undefined) return undefined;
  if (condition.case === "all") return { condition: { kind, all: true }, word: ownWord };
  const [, slash = "", given = "", rest = ""] = /^(\/?)([a-z][a-z0-9_]*)(\..+)$/.exec(condition.value) ?? [];
  const word = namespaceAliases.includes(given) ? given : ownWord;
  // A name under a foreign namespace word, or in another form, matches nothing and is refused later.
  const own = word === ownWord ? rest : rest.replace(capitalized(word), capitalized(ownWord));
  const name = word === given || given === ownWord ? `${slash}${ownWord}${own}` : condition.value;
  return { condition: condition.case === "method" ? { kind, method: name } : { kind, service: name }, word };
}

const isEventType = (name: string): boolean => (eventTypes as readonly string[]).includes(name);
const isGroup = (types: readonly string[], group: string): boolean =>
  types.some((type) => type.startsWith(`${group}.`));

/** The word of a condition on events: an alias where the caller used it, or where we have no event of that name. */
const wordOfEvents = (
  { namespaceAliases: [alias = ownWord] }: Pick<ExecutionMethodsDeps, "namespaceAliases">,
  spoken: string,
  isOurs: boolean,
): string => (spoken === ownWord && !isOurs ? alias : spoken);

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/**
 * Refuses conditions that can never be met: otherwise a misspelled name would be noticed only when a call is missing.
 */
function checkExists({ methodNames }: ExecutionMethodsDeps, condition: Condition): void {
  if (isKnown(methodNames, condition)) return;
  throw new Fault("invalid_argument", "execution.condition_unknown", { field: "condition" });
}

function isKnown(methodNames: ExecutionMethodsDeps["methodNames"], condition: Condition): boolean {
  if ("all" in condition) return true;
  if ("method" in condition) return methodNames.some((name) => `/${name}` === condition.method);
  if ("service" in condition) return servicesOf(methodNames).includes(condition.service);
  if ("event" in condition) return isEventType(condition.event) || originalNames.includes(condition.event);
  if ("group" in condition) return isGroup([...eventTypes, ...originalNames], condition.group);
  return (functionNames as readonly string[]).includes(condition.name);
}

function toFilter(deps: ExecutionMethodsDeps, { filter }: ExecutionSearchFilter, field: string): ExecutionFilter {
  switch (filter.case) {
    case "inConditionsFilter":
      return {
        by: "ids",
        executionIds: filter.value.conditions.map((condition) =>
          executionIdOf(readCondition(deps, condition, { field }).condition),
        ),
      };
    case "executionTypeFilter":
      return { by: "kind", kind: kinds[filter.value.executionType] ?? refuseFilter(field) };
    case "targetFilter":
      return { by: "target", targetId: filter.value.targetId };
    case undefined:
      return refuseFilter(field);
    default:
      return filter satisfies never;
  }
}

const kinds: Readonly<Partial<Record<ExecutionType, ExecutionKind>>> = {
  [ExecutionType.REQUEST]: "request",
  [ExecutionType.RESPONSE]: "response",
  [ExecutionType.EVENT]: "event",
  [ExecutionType.FUNCTION]: "function",
};

const toMessage = ({ condition, word, targetIds, details }: Execution): MessageInitShape<typeof ExecutionSchema> => ({
  condition: toConditionMessage(condition, word),
  creationDate: toTimestamp(details.createdAt),
  changeDate: toTimestamp(details.changedAt),
  targets: [...targetIds],
});

/** Converts a condition, with the namespace word that the caller used when it was set. */
function toConditionMessage(condition: Condition, word: string): MessageInitShape<typeof ConditionSchema> {
  if (condition.kind === "function") {
    return { conditionType: { case: "function", value: { name: condition.name } } };
  }
  if (condition.kind === "event") {
    return { conditionType: { case: "event", value: { condition: toEventChoice(condition) } } };
  }
  const value = { condition: toCallChoice(condition, (name) => name.replace(/^(\/?)service\./, `$1${word}.`)) };
  return condition.kind === "request"
    ? { conditionType: { case: "request", value } }
    : { conditionType: { case: "response", value } };
}

function toCallChoice(
  condition: Extract<Condition, { readonly kind: "request" | "response" }>,
  spelled: (name: string) => string,
) {
  if ("method" in condition) return { case: "method", value: spelled(condition.method) } as const;
  if ("service" in condition) return { case: "service", value: spelled(condition.service) } as const;
  return { case: "all", value: true } as const;
}

function toEventChoice(condition: Extract<Condition, { readonly kind: "event" }>) {
  if ("event" in condition) return { case: "event", value: condition.event } as const;
  if ("group" in condition) return { case: "group", value: condition.group } as const;
  return { case: "all", value: true } as const;
}
