import { type Call, isOfInstance } from "../call/index.ts";
import {
  type CallableTarget,
  type ExecutionDirectory,
  executionIdsOfMethod,
  findRunnable,
  type InstanceExecutions,
  type RunnableExecution,
} from "../domain/action/index.ts";
import type { ClientDirectory } from "../domain/application/index.ts";
import { type RunDeps, runTargets } from "./run-targets.ts";
import { TargetFailure } from "./target-failure.ts";

/** A request or response as JSON, in the form that targets receive. */
export type JsonMessage = Readonly<Record<string, unknown>>;

/** A message in the two forms in which targets receive it. */
export interface ShownMessage {
  /** With its secrets; only for targets whose payloads are encrypted. */
  readonly clear: JsonMessage;
  /** With a placeholder for each secret. */
  readonly concealed: JsonMessage;
}

/**
 * Takes what a target made of a message, in the form that it was shown, and returns the message as the next target sees
 * it. Throws when it is invalid.
 */
export type Accept = (rewritten: JsonMessage, wasConcealed: boolean) => ShownMessage;

/** The interception of a method. */
export interface Interception {
  /** Runs before the operation. */
  readonly request?: (request: ShownMessage, accept: Accept) => Promise<void>;
  /** Runs after the operation, with its response. */
  readonly response?: (request: ShownMessage, response: ShownMessage, accept: Accept) => Promise<void>;
}

/** What decides whether targets are called around a method of the contract. */
export interface InterceptedMethod {
  /** `service.user.v2.UserService/CreateUser` */
  readonly name: string;
  /** Whether the contract declares the method to be about the installation, or about any of its instances. */
  readonly isSystem: boolean;
  readonly access: { readonly kind: "permission" | "self" | "open" };
}

/** Returns the interception of a method; undefined, synchronously, when there is none. */
export type Intercept = (
  call: Call,
  method: InterceptedMethod,
) => Interception | undefined | Promise<Interception | undefined>;

/** Methods that are never intercepted, so that a condition that refuses everything can be removed again. */
const exempt = "service.action.v2.ActionService/";

/**
 * Whether a condition can name the method. Administrators of an instance set conditions, so what concerns other
 * instances is out of their reach, whichever host receives the call. Callers of open methods are not authenticated, so
 * system users among them could not be told apart.
 */
export const isInterceptable = ({ name, isSystem, access }: InterceptedMethod): boolean =>
  !isSystem && access.kind !== "open" && !name.startsWith(exempt);

/**
 * Whether the caller belongs to the instance. System users and the operator do not: a target that saw or changed their
 * calls would act with rights beyond the instance.
 */
const hasCallerOfInstance = ({ caller }: Call): boolean => caller !== undefined && isOfInstance(caller);

export interface InterceptDeps extends RunDeps {
  readonly executions: ExecutionDirectory;
  readonly clients: ClientDirectory;
}

/** Creates the interception that the method chain applies to every operation. */
export function createIntercept(deps: InterceptDeps): Intercept {
  const prepare = (call: Call, found: InterceptedMethod, executions: InstanceExecutions): Interception | undefined => {
    if (executions.size === 0 || !isInterceptable(found) || !hasCallerOfInstance(call)) return undefined;
    const method = found.name;
    const request = findRunnable(executions, executionIdsOfMethod("request", method));
    const response = findRunnable(executions, executionIdsOfMethod("response", method));
    if (request === undefined && response === undefined) return undefined;
    return {
      ...(request && {
        request: (message, accept) => run(deps, call, { execution: request, method, message, accept }),
      }),
      ...(response && {
        response: (message, answer, accept) =>
          run(deps, call, { execution: response, method, message, answer, accept }),
      }),
    };
  };
  return (call, method) => {
    const executions = deps.executions.of(call.instanceId);
    return executions instanceof Promise
      ? executions.then((found) => prepare(call, method, found))
      : prepare(call, method, executions);
  };
}

interface Intercepted {
  readonly execution: RunnableExecution;
  readonly method: string;
  readonly message: ShownMessage;
  /** The response of the operation, once there is one. */
  readonly answer?: ShownMessage;
  readonly accept: Accept;
}

/**
 * Whether a target receives secrets: only in a payload that it alone can decrypt. A call without a waiting caller is
 * kept in a queue, where its secrets would outlive the call.
 */
const receivesSecrets = ({ payloadType, kind }: CallableTarget): boolean => payloadType === "jwe" && kind !== "async";

const formFor = (target: CallableTarget, { clear, concealed }: ShownMessage): JsonMessage =>
  receivesSecrets(target) ? clear : concealed;

async function run(deps: InterceptDeps, call: Call, intercepted: Intercepted): Promise<void> {
  const { execution, method, message, answer, accept } = intercepted;
  const clientId = call.caller?.clientId;
  const client = clientId === undefined ? undefined : await deps.clients.find(call.instanceId, clientId);
  let current = answer ?? message;
  await runTargets(deps, call, execution, {
    isAbandonable: answer === undefined,
    payloadOf: (target) => ({
      fullMethod: `/${execution.word}${method.slice(method.indexOf("."))}`,
      instanceID: call.instanceId,
      orgID: call.organizationId ?? "",
      projectID: client?.projectId ?? "",
      userID: call.caller?.userId ?? "",
      ...(answer === undefined
        ? { request: formFor(target, current) }
        : { request: formFor(target, message), response: formFor(target, current) }),
    }),
    take: (rewritten, target) => {
      try {
        current = accept(rewritten, !receivesSecrets(target));
      } catch (cause) {
        throw new TargetFailure("answer_invalid", { cause });
      }
    },
  });
}
