import { create, type DescMethodUnary, type Message } from "@bufbuild/protobuf";
import type { Budgets } from "../base/budget/budgets.ts";
import { askFor, type Payer } from "../base/budget/payer.ts";
import { spend } from "../base/budget/spend.ts";
import { Fault } from "../base/fault.ts";
import { principalId } from "../base/id.ts";
import { type Call, requireCaller, type Scope } from "../call/index.ts";
import type { Intercept } from "../extension/index.ts";
import { type AdmitDeps, admitAgain, authenticateCaller, type IncomingCall } from "./admit.ts";
import { rightFor } from "./authority/limit.ts";
import { explainWithheld } from "./authority/sign-in-strength.ts";
import { countConditions } from "./count-conditions.ts";
import { fieldValue } from "./field-value.ts";
import type { RunHeavyList } from "./heavy-lists.ts";
import { performIntercepted } from "./intercepted.ts";
import type { Method } from "./registry.ts";
import { validate } from "./validate.ts";

export interface InvokeDeps extends AdmitDeps {
  /** Returns the targets that observe or change a call. */
  readonly intercept: Intercept;
  readonly budgets: Budgets;
  readonly runHeavyList: RunHeavyList;
}

/**
 * The first half of a call, the same for every transport: authenticates the caller, before the message is read, so that
 * strangers cannot make us keep or parse it. Refuses unimplemented methods, as soon as the caller may know of them.
 */
export async function admit(deps: InvokeDeps, called: Method, incoming: IncomingCall): Promise<Call> {
  const method = called.adapted?.of ?? called;
  if (method.isHealth) return incoming.call;
  const call = await identify(deps, method, incoming);
  if ((await method.loadImplementation()) !== undefined) return call;
  checkAccess(method, call, undefined);
  throw new Fault("unimplemented", "method.unimplemented", { values: { method: method.name } });
}

/** A call that was admitted, and the request that it was admitted for. */
export interface AdmittedCall {
  readonly call: Call;
  readonly incoming: IncomingCall;
}

/**
 * The second half, for an admitted call: permission → validation → targets → operation → targets. Together with the
 * first, this order keeps unauthenticated callers from learning what a valid request looks like. When the targets took
 * long, the caller is admitted once more: a target of their own must not keep the call until after their rights have
 * ended.
 */
export async function perform(
  deps: InvokeDeps,
  method: Method,
  admitted: AdmittedCall,
  readRequest: (descriptor: DescMethodUnary) => Message,
): Promise<Message> {
  try {
    return await (method.adapted === undefined
      ? performOnce(deps, method, admitted, readRequest)
      : performAdapted(deps, { ...method, adapted: method.adapted }, admitted, readRequest));
  } catch (error) {
    throw explainWithheld(admitted.call.caller?.withheld, error);
  }
}

/**
 * Runs a method of an earlier form: the method of version 2 with other messages, so that it has its rules and targets.
 */
async function performAdapted(
  deps: InvokeDeps,
  { adapted, loadDescriptor }: Method & Required<Pick<Method, "adapted">>,
  admitted: AdmittedCall,
  readRequest: (descriptor: DescMethodUnary) => Message,
): Promise<Message> {
  const { toCurrent, fromCurrent } = await adapted.loadAdapter();
  const request = toCurrent(readRequest(await loadDescriptor()));
  const { call, incoming } = admitted;
  const marked = {
    call: { ...call, isInEarlierForm: true },
    incoming: { ...incoming, call: { ...incoming.call, isInEarlierForm: true } },
  } as const;
  return fromCurrent(await performOnce(deps, adapted.of, marked, () => request), request);
}

/** Methods that call others for their caller (`createPerformOther`). */
const callsOthers: ReadonlySet<string> = new Set([
  "service.admin.v1.AdminService/ExportData",
  "service.admin.v1.AdminService/ImportData",
]);

/** Whether a method changes nothing, by its name: its answer can still be withheld when it is made. */
const isRead = ({ name }: Method): boolean => /\/(?:Explain|Export|Get|Is|List|Search)/.test(name);

// Milliseconds after which the rights of a caller may have ended.
const late = 1000;

/** Whether an answer comes late, because what was read waited for its turn or took long. */
const isLate = ({ admittedAt = 0 }: Call): boolean => performance.now() - admittedAt > late;

const incomingCalls = new WeakMap<Call, IncomingCall>();

/** Returns the request by which a method was called that calls others. */
export const incomingOf = (call: Call): IncomingCall | undefined => incomingCalls.get(call);

async function performOnce(
  deps: InvokeDeps,
  method: Method,
  { call, incoming }: AdmittedCall,
  readRequest: (descriptor: DescMethodUnary) => Message,
): Promise<Message> {
  const implementation = await method.loadImplementation();
  if (implementation === undefined) return create((await method.loadDescriptor()).output);
  const { descriptor, handler } = implementation;
  const request = readRequest(descriptor);
  let isHeavy = false;
  const check = (message: Message): void => {
    isHeavy = checkRequest(deps, { method, descriptor, call }, message) > lightConditions;
  };
  const perform = async (admitted: Call, message: Message): Promise<Message> => {
    if (callsOthers.has(method.name)) incomingCalls.set(admitted, incoming);
    const asker = askerOf(admitted);
    const work = async (): Promise<Message> =>
      create(descriptor.output, await askFor(asker, () => handler(admitted, message)));
    const answer = await (isHeavy ? deps.runHeavyList(asker, work) : work());
    // The caller may no longer do what they could when they were admitted. Once, however often it waited.
    if (isLate(admitted) && isRead(method)) await admitted.confirm?.();
    return answer;
  };
  check(request);
  const found = deps.intercept(call, method);
  const interception = found instanceof Promise ? await found : found;
  if (interception !== undefined) {
    const begunAt = deps.clock();
    const callAfterTargets = async (message: Message): Promise<Call> => {
      const again = admitAgain(deps, incoming, begunAt);
      if (again === undefined) return call;
      const anew = await admit(deps, method, again);
      checkAccess(method, anew, readChecked(method, descriptor, message));
      return anew;
    };
    return performIntercepted(interception, descriptor, { request, check, callAfterTargets, perform });
  }
  return perform(call, request);
}

/** Returns on whose account a call works. */
export function askerOf({ instanceId, source = "", caller }: Call): Payer {
  const { organizationId = "", userId = principalId(source) } = caller ?? {};
  return [instanceId, organizationId, userId];
}

/** Checks the permission of a call, and the rules of a request's fields. Returns how many conditions it has. */
export function checkRequest(
  deps: Pick<InvokeDeps, "budgets">,
  { method, descriptor, call }: { readonly method: Method; readonly descriptor: DescMethodUnary; readonly call: Call },
  message: Message,
): number {
  checkAccess(method, call, readChecked(method, descriptor, message));
  const conditions = countConditions(descriptor.input, message);
  validate(descriptor.input, message);
  takeConditions(deps, call, conditions);
  return conditions;
}

// As many conditions as a page of a console uses are free.
const freeConditions = 5;
const lightConditions = 15;

/** Lists with many conditions cost the time of every user, so each caller has a budget of them. */
function takeConditions({ budgets }: Pick<InvokeDeps, "budgets">, call: Call, conditions: number): void {
  if (conditions <= freeConditions) return;
  const { instanceId, now, source = "" } = call;
  const of = { instanceId, now, subject: call.caller?.userId ?? principalId(source) };
  spend(budgets, "conditions_of_caller", of, conditions - freeConditions);
}

async function identify(deps: InvokeDeps, method: Method, incoming: IncomingCall): Promise<Call> {
  return method.access.kind === "open" ? incoming.call : authenticateCaller(deps, incoming, rightFor(method));
}

/** Returns the id of the resource to which a narrower role may apply, where the contract names its field. */
function readChecked({ access }: Method, descriptor: DescMethodUnary, request: Message): Scope | undefined {
  if (access.kind !== "permission" || access.checkField === undefined) return undefined;
  const field = descriptor.input.fields.find(({ name }) => name === access.checkField);
  const id = field && fieldValue(request, field);
  if (typeof id !== "string" || id === "") return undefined;
  return access.checkField.includes("grant") ? { projectGrantId: id } : { projectId: id };
}

function checkAccess({ name, access: rule }: Method, call: Call, checked: Scope | undefined): void {
  if (rule.kind === "open") return;
  const { access } = requireCaller(call);
  if (rule.kind === "self") return;
  const { permission } = rule;
  // v2 has no organization context: a caller with the permission anywhere may call, and the operation restricts the
  // result.
  const isAllowed = name.includes(".v1.")
    ? access.allows(permission, call.organizationId === undefined ? {} : { organizationId: call.organizationId }) ||
      (checked !== undefined && access.allows(permission, checked)) ||
      // An administrator of a single project or grant may call methods that name none; the operation restricts the
      // result.
      (rule.checkField === undefined && access.holdsAnywhere(permission, ["project", "project_grant"]))
    : access.holdsAnywhere(permission);
  if (!isAllowed) throw new Fault("permission_denied", "permission.missing", { values: { permission } });
}
