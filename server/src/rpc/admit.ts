import { Fault } from "../base/fault.ts";
import { type Call, type Caller, requirePermission } from "../call/index.ts";
import { type Credentials, type PresentedToken, readPresentedToken } from "./presented-token.ts";

export interface AdmitDeps {
  /** Proves who holds a token; throws `unauthenticated` for one that is not good for our APIs. */
  readonly authenticate: (call: Call, presented: PresentedToken) => Promise<Caller>;
  /** Whether the organization exists in the instance. */
  readonly organizationExists: (call: Call, organizationId: string) => Promise<boolean>;
}

/** A request for a method, before its message was read. */
export interface MethodArrival {
  readonly call: Call;
  readonly credentials: Credentials;
}

/** Who calls what is no method (files): who must hold a permission in the organization of the call, as methods of v1 demand it. */
export async function admitTo(deps: AdmitDeps, permission: string, arrival: MethodArrival): Promise<Call> {
  const call = await authenticateCaller(deps, arrival);
  requirePermission(call, permission, call.organizationId === undefined ? {} : { organizationId: call.organizationId });
  return call;
}

/** The call with who calls, and the organization that it is about. */
export async function authenticateCaller(deps: AdmitDeps, { call, credentials }: MethodArrival): Promise<Call> {
  const caller = await deps.authenticate(call, readPresentedToken(credentials));
  const { organizationId } = credentials;
  if (organizationId === undefined || organizationId === caller.organizationId) {
    return { ...call, caller, organizationId: caller.organizationId };
  }
  // Never silently ignored: an answer about another organization than the one asked for would be worse than none.
  if (!(await deps.organizationExists(call, organizationId))) {
    throw new Fault("permission_denied", "organization.context_unknown");
  }
  return { ...call, caller, organizationId };
}
