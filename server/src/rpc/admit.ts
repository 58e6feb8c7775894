import { type Clock, type Instant, seconds } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import type { PresentedToken } from "../bearer/index.ts";
import {
  type Call,
  type Caller,
  callOfPresented,
  type IdentifyPresented,
  isOfInstance,
  type Presented,
  requirePermission,
} from "../call/index.ts";
import type { QuotaMeter } from "../domain/quota/index.ts";
import { requireRight, rightForPermission } from "./authority/limit.ts";
import type { NeededRight } from "./authority/permission-rights.ts";
import { explainWithheld } from "./authority/sign-in-strength.ts";
import { type Credentials, readPresentedToken } from "./presented-token.ts";

export interface AdmitDeps {
  readonly clock: Clock;
  /** Authenticates the token's bearer; throws `unauthenticated` for a token that is invalid for our APIs. */
  readonly authenticate: (call: Call, presented: PresentedToken) => Promise<Presented<Caller>>;
  /** Counts requests of users of the instance. */
  readonly quotaMeter: Pick<QuotaMeter, "takeRequest">;
  /** Whether the organization exists in the instance. */
  readonly organizationExists: (call: Call, organizationId: string) => Promise<boolean>;
}

/** A request for a method, before its message is read. */
export interface IncomingCall {
  readonly call: Call;
  readonly credentials: Credentials;
  /** Returns the caller of a call without credential: the creator of a job or of a setup link. */
  readonly identify?: (call: Call) => Promise<Presented<Caller>>;
  /** What the caller of an entry of data is, however often the call is admitted (`callOther`). */
  readonly narrow?: (caller: Caller) => Caller;
}

// Longer than a client takes that sends its body along.
const longestArrival = seconds(1);

/**
 * Returns the request to admit once more when its body has arrived; undefined when the body took no longer than usual.
 * A request that was kept open would otherwise outlive the rights of its caller. The proof of a key is not spent again,
 * and is as old as when it was presented.
 */
export function admitAgain(
  { clock }: Pick<AdmitDeps, "clock">,
  incoming: IncomingCall,
  admittedAt: Instant,
): IncomingCall | undefined {
  const { call, credentials } = incoming;
  const now = clock();
  if (now - admittedAt < longestArrival) return undefined;
  return { ...incoming, call: { ...call, now }, credentials: { ...credentials, spentAt: call.now } };
}

/**
 * Authorizes a call of something other than a method (files): the caller must have a permission in the organization of
 * the call, as v1 methods require.
 */
export async function admitTo(deps: AdmitDeps, permission: string, incoming: IncomingCall): Promise<Call> {
  const call = await authenticateCaller(deps, incoming, rightForPermission(permission));
  try {
    requirePermission(
      call,
      permission,
      call.organizationId === undefined ? {} : { organizationId: call.organizationId },
    );
  } catch (error) {
    throw explainWithheld(call.caller?.withheld, error);
  }
  return call;
}

/**
 * Returns the call with its caller, and its organization. `right`: what an application that is not trusted needs for
 * the call.
 */
export async function authenticateCaller(
  deps: AdmitDeps,
  { call, credentials, identify, narrow = asIs }: IncomingCall,
  right: NeededRight,
): Promise<Call> {
  const identifyPresented: IdentifyPresented = async (at, presentedAt) => {
    const spentAt = credentials.spentAt ?? presentedAt;
    const caller = await (identify === undefined
      ? deps.authenticate(at, readPresentedToken({ ...credentials, spentAt }))
      : identify(at));
    requireRight(caller, right);
    return caller;
  };
  const identified = await callOfPresented(deps.clock, call, identifyPresented);
  const { caller } = identified;
  // A request that is admitted once more was counted before.
  if (credentials.spentAt === undefined && isOfInstance(caller)) {
    const taken = deps.quotaMeter.takeRequest(call);
    if (taken !== undefined) await taken;
  }
  const { organizationId } = credentials;
  const admitted = { ...identified, caller: narrow(caller) };
  if (organizationId === undefined || organizationId === caller.organizationId) {
    return { ...admitted, organizationId: caller.organizationId };
  }
  // Never ignored silently: an answer about another organization than the requested one would be worse than none.
  if (!(await deps.organizationExists(call, organizationId))) {
    throw new Fault("permission_denied", "organization.context_unknown");
  }
  return { ...admitted, organizationId };
}

const asIs = (caller: Caller): Caller => caller;
