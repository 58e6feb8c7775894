import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { holdBrowserAuthRequest } from "../auth-request/index.ts";
import { refuseUsedName } from "../login-name/index.ts";
import type { PasswordDeps } from "../password/index.ts";
import type { Factors } from "../session/index.ts";
import {
  advance,
  type BrowserVisit,
  decideNext,
  describeAdvance,
  describeVisit,
  prepareAdvance,
  type SignInDeps,
  type StepOutcome,
} from "../sign-in/index.ts";
import { firstSignInEpoch } from "../user/index.ts";
import { createPreparedHuman, type PreparedHuman } from "../user-management/index.ts";
import { askBeforeCreation, withChange } from "./ask-before-creation.ts";
import { takeFromSource } from "./take-from-source.ts";

export interface SignUpDeps extends SignInDeps, PasswordDeps {
  readonly vault: Pick<Vault, "encrypt" | "decrypt">;
}

/** What the creator of an account enters. */
export interface SelfMade {
  /** The organization of the account. */
  readonly organizationId: string;
  readonly givenName: string;
  readonly familyName: string;
  /** Also the name to sign in with. */
  readonly email: string;
}

/** Message with the code for the address. */
export interface SignUpMessage {
  /** The application that the account is created for, as the message names it. */
  readonly applicationName: string | undefined;
  /** Where the code can be entered once the account exists, as a template of the outbox. */
  readonly urlTemplate: string;
}

/** Addresses for messages before the account exists. */
export interface SignUpAddresses {
  /** Where the code can be entered before the account exists, as a template of the outbox. */
  readonly confirmTemplate: string;
  /** Where users sign in. */
  readonly signInAddress: string;
}

/**
 * Returns the user to create. The language of the sign-up becomes the preferred one, in which messages are written.
 */
export const toPerson = (
  { language }: Call,
  { organizationId, givenName, familyName, email }: SelfMade,
  { applicationName, urlTemplate }: SignUpMessage,
) => ({
  organizationId,
  profile: { givenName, familyName, preferredLanguage: language },
  email: { address: email, verification: { by: "message", applicationName, urlTemplate } as const },
  metadata: [],
});

export interface NewAccount {
  readonly person: PreparedHuman;
  readonly factors: Factors;
  /** Step that uses up what permits the account; false when it is used up already. */
  readonly claim?: ((tx: Tx) => Promise<boolean>) | undefined;
}

/**
 * Creates the account of a user who has proven what `factors` say, and continues with the browser's attempt. Everything
 * is one unit of work: an account without a way to sign in, or without the browser that asked for it, is never left
 * behind. Scripts of the organization may change or refuse the user before it, and give roles after it. `gone`: the
 * request no longer belongs to this browser, or the permission to create the account is used up.
 */
export async function makeAccount(
  deps: SignUpDeps,
  call: Call,
  visit: BrowserVisit,
  { person: entered, factors, claim }: NewAccount,
): Promise<StepOutcome> {
  const flow = "internal_authentication";
  const person = withChange(entered, await askBeforeCreation(deps, call, visit, { person: entered, flow }));
  const { organizationId, email } = person;
  const proven = {
    userId: "",
    organizationId,
    loginName: email.address,
    factors,
    signInEpoch: firstSignInEpoch,
    isNew: true,
    steps: [{ check: "registration", outcome: "passed" }] as const,
  };
  const next = await decideNext(deps, call, visit, proven);
  const prepared = await prepareAdvance(deps, call, visit, { proven, next });
  const authRequestId = visit.authRequest?.authRequestId;
  const done = await deps.database.change(call, async (tx) => {
    const key = { authRequestId: authRequestId ?? "", browserHash: visit.browserHash };
    if (authRequestId !== undefined && !(await holdBrowserAuthRequest(tx, key))) return undefined;
    if (claim !== undefined && !(await claim(tx))) return undefined;
    await refuseUsedName(tx, call.instanceId, { organizationId, email: email.address });
    if (email.verification.by === "message") {
      await takeFromSource(tx, deps, { recipient: email.address, organizationId });
    }
    const { userId } = await createPreparedHuman(tx, deps, person);
    const made = { ...prepared, proven: { ...proven, userId } };
    const advanced = await advance(tx, deps, made);
    // The request is locked, so it cannot be gone; if it were, no account would be left behind.
    if (advanced === undefined) throw new Error("a request that was held is gone");
    return { made, advanced };
  });
  if (done === undefined) return { outcome: "gone" };
  const { userId, loginName } = done.made.proven;
  const input = describeVisit(call, visit, { userId, organizationId, loginName });
  await deps.signInScripts.afterCreation(call, { userId, organizationId, flow, input });
  return describeAdvance(deps, call, done.made, done.advanced);
}
