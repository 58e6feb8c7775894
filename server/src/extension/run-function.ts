import { type Instant, toIso } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { asPerson, type Call } from "../call/index.ts";
import {
  type ExecutionDirectory,
  executionIdOfFunction,
  type FunctionName,
  type RunnableExecution,
} from "../domain/action/index.ts";
import { listAuthorizationsOfUser } from "../domain/authorization/index.ts";
import type { MetadataEntry } from "../domain/metadata/index.ts";
import { findOrganization } from "../domain/organization/index.ts";
import { putUserMetadata, type User } from "../domain/user/index.ts";
import { describeAuthorization, lengthAsTold, userStates } from "./describe-authorization.ts";
import { readAllMetadata } from "./read-all-metadata.ts";
import { type FunctionAnswer, readFunctionAnswer } from "./read-function-answer.ts";
import { type RunDeps, runTargets } from "./run-targets.ts";

export interface FunctionDeps extends RunDeps {
  readonly executions: ExecutionDirectory;
}

/** The input of a function. */
interface FunctionInput {
  readonly user: User;
  /** The existing claims. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Who gets the token or response: an OAuth client, or a service provider of SAML. */
  readonly application: { readonly client_id: string } | { readonly entity_id: string };
  /** The project of the application, and its owner; undefined for service accounts, which have none. */
  readonly project: { readonly projectId: string; readonly organizationId: string } | undefined;
  /** The acting party, in an exchanged token (RFC 8693 §4.1). */
  readonly actor?: object | undefined;
}

/** What the targets of a function add to a token or response. */
type FunctionResult = Pick<FunctionAnswer, "claims" | "logs" | "attributes">;

/** Runs a function; returns immediately, with an empty result, when the function has no targets. */
export interface FunctionRunner {
  /** Whether an execution of the instance has the function. */
  has(call: Call, name: FunctionName): boolean | Promise<boolean>;
  run(call: Call, name: FunctionName, input: FunctionInput): Promise<FunctionResult>;
}

/** Creates the runner of functions that extend tokens and user information. */
export function createFunctionRunner(deps: FunctionDeps): FunctionRunner {
  const find = (
    call: Call,
    name: FunctionName,
  ): RunnableExecution | undefined | Promise<RunnableExecution | undefined> => {
    const executions = deps.executions.of(call.instanceId);
    const id = executionIdOfFunction(name);
    return executions instanceof Promise ? executions.then((found) => found.get(id)) : executions.get(id);
  };
  return {
    has: (call, name) => {
      const found = find(call, name);
      return found instanceof Promise ? found.then((execution) => execution !== undefined) : found !== undefined;
    },
    run: async (call, name, input) => {
      const execution = await find(call, name);
      return execution === undefined
        ? { claims: [], logs: [], attributes: [] }
        : run(deps, call, { execution, name, input });
    },
  };
}

async function run(
  deps: FunctionDeps,
  call: Call,
  {
    execution,
    name,
    input,
  }: {
    readonly execution: RunnableExecution;
    readonly name: FunctionName;
    readonly input: FunctionInput;
  },
): Promise<FunctionResult> {
  const { user } = input;
  const payload = await describe(deps, call, `function/${name}`, input);
  const answers: FunctionAnswer[] = [];
  await runTargets(deps, call, execution, {
    payloadOf: () => payload,
    take: (answer) => void answers.push(readFunctionAnswer(answer)),
  });
  const metadata = answers.flatMap((answer) => answer.metadata);
  if (metadata.length > 0) await setMetadata(deps, call, user, metadata);
  return {
    claims: answers.flatMap((answer) => answer.claims),
    logs: answers.flatMap((answer) => answer.logs),
    attributes: answers.flatMap((answer) => answer.attributes),
  };
}

// An invalid key is the target's mistake, and the user's request should not fail because of it. Neither should it
// because the user was deleted meanwhile.
async function setMetadata(
  deps: FunctionDeps,
  call: Call,
  user: User,
  metadata: readonly MetadataEntry[],
): Promise<void> {
  try {
    await deps.database.change(call, (tx) => putUserMetadata(tx, user, metadata));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { instanceId, requestId } = call;
    deps.warn("metadata that a target set was refused", { instanceId, requestId, failure: error.id });
  }
}

/**
 * Returns what targets are told about the user. Too much for one payload fails like a target that does not answer:
 * nothing is decided by a part of it. Only role assignments that neither the user's organization nor the owner of the
 * project made are left out, because any other organization can make as many as it likes, and as long.
 */
async function describe(
  { database, warn }: FunctionDeps,
  call: Call,
  name: string,
  { user, claims, application, project, actor }: FunctionInput,
): Promise<object> {
  const { read } = database;
  const { instanceId, requestId } = call;
  const { userId, organizationId } = user;
  const [organization, metadata, authorizations] = await Promise.all([
    findOrganization(read, instanceId, organizationId),
    readAllMetadata(read, instanceId, { type: "user", id: userId }),
    // The user may see all of their own roles.
    listAuthorizationsOfUser({ database }, asPerson(call, user), { organizationId, project, lengthOf: lengthAsTold }),
  ]);
  if (metadata === undefined || authorizations === undefined) {
    const reason = metadata === undefined ? "metadata" : "role assignments";
    warn(`a user has too much for targets to be told: ${reason}`, { instanceId, requestId, userId, function: name });
    throw new Fault("failed_precondition", "execution.failed");
  }
  return {
    function: name,
    userinfo: { ...claims, sub: userId },
    user: describeUser(user),
    user_metadata: metadata.map(({ key, value, createdAt, changedAt }) => ({
      creation_date: toIso(createdAt),
      change_date: toIso(changedAt),
      resource_owner: organizationId,
      key,
      value: Buffer.from(value).toString("base64"),
    })),
    org: { id: organizationId, name: organization?.name ?? "", primary_domain: organization?.primaryDomain ?? "" },
    user_grants: authorizations.rows.map(describeAuthorization),
    ...(!authorizations.isWhole && { user_grants_left_out: true }),
    application,
    ...(actor && { actor }),
  };
}

function describeUser(user: User): object {
  const { createdAt, changedAt, sequence } = user.details;
  const common = {
    id: user.userId,
    creation_date: toIso(createdAt),
    change_date: toIso(changedAt),
    resource_owner: user.organizationId,
    sequence,
    state: userStates[user.state],
    username: user.username,
    preferred_login_name: user.preferredLoginName,
  };
  if (user.kind === "machine") {
    return { ...common, machine: { name: user.displayName, description: user.description } };
  }
  const { profile, email, phone } = user;
  return {
    ...common,
    human: {
      first_name: profile.givenName,
      last_name: profile.familyName,
      ...(profile.nickName !== undefined && { nick_name: profile.nickName }),
      display_name: user.displayName,
      ...(profile.preferredLanguage !== undefined && { preferred_language: profile.preferredLanguage }),
      email: email.address,
      is_email_verified: email.isVerified,
      ...(phone && { phone: phone.number, is_phone_verified: phone.isVerified }),
      ...optionalInstant("password_changed", user.passwordChangedAt),
      ...optionalInstant("mfa_init_skipped", user.secondFactorSkippedAt),
    },
  };
}

const optionalInstant = (name: string, instant: Instant | undefined): object =>
  instant === undefined ? {} : { [name]: toIso(instant) };
