import type { Budgets } from "../../base/budget/budgets.ts";
import { Fault } from "../../base/fault.ts";
import type { Random } from "../../base/random.ts";
import { generateSecret } from "../../base/secret.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { authorizeApplication, consolePaths, type OidcApplication } from "../application/index.ts";
import { insertTestSignIn } from "./test-sign-in.store.ts";
import { testLifetime, testReferencePrefix } from "./test-sign-in.ts";

export interface CreateTestSignInDeps {
  readonly database: Database;
  readonly random: Random;
  readonly budgets: Budgets;
  /** Returns the public origin of an instance. */
  readonly originOf: (instanceId: string) => Promise<string>;
}

export interface CreateTestSignIn {
  readonly applicationId: string;
  readonly scopes: readonly string[];
  readonly requiresSignIn: boolean;
}

/** A test that waits for the browser of its caller. */
export interface CreatedTest {
  readonly testId: string;
  readonly clientId: string;
  /** What the browser presents as `request_uri`. */
  readonly reference: string;
  readonly expiresAt: number;
}

/**
 * Prepares a sign-in to an application, for a caller who may change the application and is signed in with a browser.
 * The request is the one that the application would send, with a redirect URI of ours, to which no code ever goes.
 */
export async function createTestSignIn(
  deps: CreateTestSignInDeps,
  call: Call,
  input: CreateTestSignIn,
): Promise<CreatedTest> {
  const { userId, sessionId } = requireCaller(call);
  const origin = await deps.originOf(call.instanceId);
  return deps.database.touch(call, async (tx) => {
    const application = await authorizeOidcApplication(tx, input.applicationId);
    if (sessionId === undefined) throw new Fault("failed_precondition", "session.not_found");
    const { applicationId, clientId } = application;
    const testId = generateSecret(deps.random).reveal();
    const parameters = requestOf(deps, application, { ...input, origin });
    countBytes(deps, call, parameters);
    const expiresAt = tx.now + testLifetime;
    await insertTestSignIn(tx, { testId, applicationId, clientId, userId, sessionId, parameters, expiresAt });
    return { testId, clientId, reference: testReferencePrefix + testId, expiresAt };
  });
}

async function authorizeOidcApplication(tx: Tx, applicationId: string): Promise<OidcApplication> {
  const application = await authorizeApplication(tx, { applicationId });
  if (application.kind === "oidc") return application;
  throw new Fault("failed_precondition", "application.kind_differs", { field: "applicationId" });
}

/** Returns the request of the application. Nothing is redeemed, so the verifier of its challenge is thrown away. */
function requestOf(
  { random }: Pick<CreateTestSignInDeps, "random">,
  { clientId, configuration: { responseTypes } }: OidcApplication,
  { scopes, requiresSignIn, origin }: CreateTestSignIn & { readonly origin: string },
): ReadonlyMap<string, string> {
  const responseType = responseTypes.includes("code") ? "code" : (responseTypes[0] ?? "code");
  return new Map([
    ["client_id", clientId],
    ["response_type", responseType],
    ["redirect_uri", origin + consolePaths.tested],
    ["scope", scopes.join(" ")],
    ["state", random(16).toString("base64url")],
    ["nonce", random(16).toString("base64url")],
    ...(responseType === "code" ? challengeOf(random) : []),
    ...(requiresSignIn ? ([["prompt", "login"]] as const) : []),
  ]);
}

const challengeOf = (random: Random): readonly (readonly [string, string])[] => [
  ["code_challenge", random(32).toString("base64url")],
  ["code_challenge_method", "S256"],
];

function countBytes(
  { budgets }: Pick<CreateTestSignInDeps, "budgets">,
  { instanceId, now, source = "" }: Call,
  parameters: ReadonlyMap<string, string>,
): void {
  const bytes = Buffer.byteLength(JSON.stringify([...parameters]));
  const wait = budgets.take("pushed_bytes_of_source", { instanceId, now, source }, bytes);
  if (wait > 0) throw new Fault("resource_exhausted", "request.too_many");
}
