import { create, type DescMethodUnary, type MessageShape } from "@bufbuild/protobuf";
import type { OtherAnswer, OtherCall } from "../api/index.ts";
import { principalId } from "../base/id.ts";
import { type Call, type Caller, createAccess, isOfInstance, withoutLoginClient } from "../call/index.ts";
import { permissionsOfAll } from "../domain/administrator-access/index.ts";
import type { IncomingCall } from "./admit.ts";
import { admit, type InvokeDeps, incomingOf, perform } from "./invoke.ts";
import { type RefusalDeps, toRefusal } from "./refusal.ts";
import type { Method, Registry } from "./registry.ts";

export interface CallOtherDeps extends InvokeDeps, RefusalDeps {
  readonly registry: Registry;
  /** Returns the built-in project of an instance. */
  readonly systemProjectIdOf: (instanceId: string) => Promise<string>;
}

/**
 * Calls another method for the caller of a method. The caller is admitted for it, so that it does not run after their
 * rights have ended. A proof of a key counts for all calls, as it does while one method runs. Where the data of an
 * organization is what calls, the caller is narrowed to it.
 */
export async function callOther<Called extends DescMethodUnary>(
  deps: CallOtherDeps,
  call: Call,
  other: OtherCall<Called>,
): Promise<OtherAnswer<Called>> {
  const { request } = other;
  const { called, incoming } = await findCalled(deps, call, other);
  try {
    const admitted = { call: await admit(deps, called, incoming), incoming };
    if (other.isCounted !== true) await countRequest(deps, admitted.call);
    const response = await perform(deps, called, admitted, ({ input }) => create(input, request));
    return { response: response as MessageShape<Called["output"]> };
  } catch (error) {
    const { code, id, message } = toRefusal(deps, error, call);
    if (code === "unauthenticated") throw error;
    return { refusal: { id, message, isExisting: code === "already_exists", error } };
  }
}

/** What another method is called as. */
type OtherCaller = Pick<OtherCall<DescMethodUnary>, "method" | "as" | "organizationId">;

/** Returns another method, and the request by which the caller of a call is admitted for it. */
export async function findCalled(
  { clock, registry, systemProjectIdOf }: CallOtherDeps,
  call: Call,
  { method, as, organizationId }: OtherCaller,
): Promise<{ readonly called: Method; readonly incoming: IncomingCall }> {
  const name = `${method.parent.typeName}/${method.name}`;
  const called = registry.get(name);
  const first = incomingOf(call);
  if (called === undefined || first === undefined) throw new Error(`${name} cannot be called by another method`);
  const { credentials } = first;
  const incoming: IncomingCall = {
    call: { ...first.call, now: clock() },
    credentials: {
      ...credentials,
      spentAt: credentials.spentAt ?? first.call.now,
      organizationId: organizationId ?? credentials.organizationId,
    },
    ...(as === "organization" &&
      organizationId !== undefined && { narrow: narrowTo(organizationId, await systemProjectIdOf(call.instanceId)) }),
  };
  return { called, incoming };
}

/** Counts a call of another method: a request that is admitted once more is not counted by `admit`. */
export async function countRequest({ quotaMeter }: Pick<CallOtherDeps, "quotaMeter">, admitted: Call): Promise<void> {
  if (admitted.caller !== undefined && isOfInstance(admitted.caller)) await quotaMeter.takeRequest(admitted);
}

const owner = "ORG_OWNER";

/**
 * Returns what makes of the caller who imports the one whose word the data of an organization is: an owner of this
 * organization and of nothing else, with no more than the importer may do there. They are no user, so that an entry
 * about the importer is not one by the importer. Everything else that is asked of a caller (which organizations they
 * reach, how far their word counts, what they may recognize, accept or prove) follows from these rights.
 */
function narrowTo(organizationId: string, systemProjectId: string): (caller: Caller) => Caller {
  const whole = permissionsOfAll([owner]);
  return ({ userId, clientId, rights, credentialExpiresAt, access }) => {
    const held = withoutLoginClient(access);
    const permissions = new Set([...whole].filter((permission) => held.allows(permission, { organizationId })));
    const position = {
      level: "organization",
      resourceId: organizationId,
      permissions,
      roles: permissions.size === whole.size ? [owner] : undefined,
      readOnlyProjectId: systemProjectId,
    } as const;
    return {
      userId: principalId(`import/${userId.replace(/^\//, "")}`),
      organizationId,
      ...(clientId !== undefined && { clientId }),
      ...(rights !== undefined && { rights }),
      ...(credentialExpiresAt !== undefined && { credentialExpiresAt }),
      access: createAccess([position]),
      importer: { userId, access },
    };
  };
}
