import type { Details } from "../../database/index.ts";

export type ExecutionKind = "request" | "response" | "event" | "function";

/**
 * When targets are called. Names carry our namespace word: `/service.user.v2.UserService/CreateUser`,
 * `service.user.v2.UserService`; a group is the beginning of the types of its events (`user.email` for
 * `user.email.set`).
 */
export type Condition =
  | { readonly kind: "request" | "response"; readonly method: string }
  | { readonly kind: "request" | "response"; readonly service: string }
  | { readonly kind: "request" | "response"; readonly all: true }
  | { readonly kind: "event"; readonly all: true }
  | { readonly kind: "event"; readonly event: string }
  | { readonly kind: "event"; readonly group: string }
  | { readonly kind: "function"; readonly name: string };

/** A condition with the targets that are called when it is met, in order. */
export interface Execution {
  readonly executionId: string;
  readonly condition: Condition;
  /** The namespace word that the caller used when the execution was set. */
  readonly word: string;
  readonly targetIds: readonly string[];
  readonly details: Details;
}

/** Points at which tokens, userinfo responses and SAML responses can be extended. */
export const functionNames = ["preuserinfo", "preaccesstoken", "presamlresponse"] as const;
export type FunctionName = (typeof functionNames)[number];
/** Those that add claims. */
export type ClaimFunctionName = Exclude<FunctionName, "presamlresponse">;

/** Returns the unique text that represents a condition. */
export function executionIdOf(condition: Condition): string {
  const { kind } = condition;
  if ("method" in condition) return kind + condition.method;
  if ("service" in condition) return `${kind}/${condition.service}`;
  if ("event" in condition) return `${kind}/${condition.event}`;
  if ("group" in condition) return `${kind}/${condition.group}.*`;
  if ("name" in condition) return `${kind}/${condition.name}`;
  return kind;
}

/** Returns the condition that an id represents. */
export function conditionOf(executionId: string): Condition {
  const [kind, name, method] = executionId.split("/", 3) as [ExecutionKind, string?, string?];
  switch (kind) {
    case "function":
      return { kind, name: name ?? "" };
    case "event":
      if (name === undefined) return { kind, all: true };
      return name.endsWith(".*") ? { kind, group: name.slice(0, -2) } : { kind, event: name };
    case "request":
    case "response":
      if (name === undefined) return { kind, all: true };
      return method === undefined ? { kind, service: name } : { kind, method: `/${name}/${method}` };
    default:
      return kind satisfies never;
  }
}

/**
 * Returns the ids of the conditions that a call of a method meets, the most specific first. `method` is
 * `service.user.v2.UserService/CreateUser`.
 */
export function executionIdsOfMethod(kind: "request" | "response", method: string): string[] {
  return [`${kind}/${method}`, `${kind}/${method.slice(0, method.indexOf("/"))}`, kind];
}

/** Returns the ids of the conditions that an event with these names meets, the most specific first. */
export function executionIdsOfEvent(names: readonly string[]): string[] {
  return [...names.map((name) => `event/${name}`), ...names.flatMap(groupsOf), "event"];
}

function groupsOf(name: string): string[] {
  const parts = name.split(".");
  return parts.slice(1).map((_part, index) => `event/${parts.slice(0, parts.length - 1 - index).join(".")}.*`);
}

/** Returns the id of the condition of a function. */
export const executionIdOfFunction = (name: FunctionName): string => `function/${name}`;

/** The event aggregate of an execution; executions belong to the instance. */
export function executionAggregate(instanceId: string, executionId: string) {
  return { aggregateType: "execution", aggregateId: executionId, ownerId: instanceId } as const;
}
