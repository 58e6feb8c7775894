import { Fault } from "../../base/fault.ts";
import { type IdGenerator, principalId } from "../../base/id.ts";
import { type Call, createAccess } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { createAuthorization } from "../../domain/authorization/index.ts";
import type { FindInstanceById } from "../../domain/instance/index.ts";
import {
  type PersonChange,
  type ScriptTrust,
  type SignInFlow,
  type SignInScripts,
  type TriggerPoint,
  unchanged,
} from "../../domain/script/index.ts";
import { findUser } from "../../domain/user/index.ts";
import { describeUser } from "./describe.ts";
import type { Effects } from "./effects.ts";
import { readPersonChange } from "./person-change.ts";
import type { ContextKind } from "./protocol.ts";
import { putMetadata } from "./put-metadata.ts";
import { type RunScriptsDeps, runScripts } from "./run-scripts.ts";

export interface SignInScriptsDeps extends RunScriptsDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
  readonly findInstanceById: FindInstanceById;
}

interface Signer {
  readonly userId: string;
  readonly organizationId: string;
}

/** Creates the runner of scripts around sign-ins and registrations. */
export function createSignInScripts(deps: SignInScriptsDeps): SignInScripts {
  const collect = async (
    call: Call,
    step: {
      readonly organizationId: string;
      readonly point: TriggerPoint;
      readonly kind: ContextKind;
      readonly input: (change: PersonChange, trust: ScriptTrust) => object;
    },
  ): Promise<PersonChange> => {
    let change = unchanged;
    if (!(await deps.scripts.hasAny(call.instanceId, step.point))) return change;
    await runScripts(deps, call, {
      ...step,
      inputOf: ({ trust }) => step.input(change, trust),
      take: (_script, effects) => {
        change = joined(change, effects);
      },
    });
    return change;
  };
  const remember: SignInScripts["remember"] = (call, user, metadata) => putMetadata(deps, call, user, metadata);
  return {
    remember,
    afterProof: async (call, { userId, organizationId, method, input }) => {
      const point = { flow: "internal_authentication", trigger: "post_authentication" } as const;
      const asked = { ...input, authMethod: method, authError: "none" };
      const { metadata } = await collect(call, { organizationId, point, kind: "authentication", input: () => asked });
      await remember(call, { userId, organizationId }, metadata);
    },
    afterProvider: (call, { organizationId, input }) => {
      const point = { flow: "external_authentication", trigger: "post_authentication" } as const;
      return collect(call, { organizationId, point, kind: "authentication", input });
    },
    beforeCreation: (call, { organizationId, flow, input }) =>
      collect(call, { organizationId, point: { flow, trigger: "pre_creation" }, kind: "pre_creation", input }),
    afterCreation: (call, created) => runAfterCreation(deps, call, created),
  };
}

const joined = (change: PersonChange, effects: Effects): PersonChange => {
  const { metadata, ...more } = readPersonChange(effects);
  return { ...change, ...more, metadata: [...change.metadata, ...metadata] };
};

// The user exists by now, so a failure must not keep them from signing in.
async function runAfterCreation(
  deps: SignInScriptsDeps,
  call: Call,
  { userId, organizationId, flow, input }: Signer & { readonly flow: SignInFlow; readonly input: object },
): Promise<void> {
  const point = { flow, trigger: "post_creation" } as const;
  if (!(await deps.scripts.hasAny(call.instanceId, point))) return;
  const user = await findUser(deps.database.read, call.instanceId, userId);
  if (user === undefined) return;
  const about = { ...input, user: describeUser(user) };
  try {
    await runScripts(deps, call, {
      organizationId,
      point,
      kind: "post_creation",
      inputOf: () => about,
      take: async ({ scriptId }, { grants, metadata }) => {
        for (const grant of grants) await assign(deps, call, { userId, organizationId }, { scriptId, grant });
        await putMetadata(deps, call, user, metadata);
      },
    });
  } catch (error) {
    // What failed is in the log already.
    if (!(error instanceof Fault)) throw error;
  }
}

/**
 * Assigns roles as an administrator of the organization would: of its own projects, and of those that were granted to
 * it.
 */
async function assign(
  deps: SignInScriptsDeps,
  call: Call,
  { userId, organizationId }: Signer,
  { scriptId, grant }: { readonly scriptId: string; readonly grant: Effects["grants"][number] },
): Promise<void> {
  const permissions = new Set(["project.read", "user.grant.read", "user.grant.write", "user.read"]);
  // The instance's own project may lie in a tenant's organization.
  const readOnlyProjectId = (await deps.findInstanceById(call.instanceId))?.systemProjectId;
  const access = createAccess([{ level: "organization", resourceId: organizationId, permissions, readOnlyProjectId }]);
  const caller = { userId: principalId(`script/${scriptId}`), organizationId, access };
  try {
    await createAuthorization(
      deps,
      { ...call, caller, organizationId },
      { userId, organizationId, ...withGrant(grant) },
    );
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { instanceId, requestId } = call;
    const details = { requestId, actionId: scriptId, failure: error.id };
    deps.scriptLog({ instanceId, organizationId }, "warn", "roles that a script assigned were refused", details);
  }
}

const withGrant = ({ projectGrantId, ...grant }: Effects["grants"][number]) => ({
  ...grant,
  ...(projectGrantId !== undefined && { projectGrantId }),
});
