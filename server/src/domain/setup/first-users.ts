import type { IdGenerator } from "../../base/id.ts";
import type { Random } from "../../base/random.ts";
import { formatAuthor, ownerOfInstance } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import {
  type AddedUserKey,
  type IssuedToken,
  issuePersonalAccessToken,
  issueUserKey,
  type NewUserKey,
} from "../credential/index.ts";
import { completeInstanceSetup } from "../instance/index.ts";
import { addMembership } from "../membership/index.ts";
import { endPreparedSessions } from "../sign-out/index.ts";
import type { ContactProof } from "../user/index.ts";
import { createHumanUser, createMachineUser, type NewHumanUser } from "../user-management/index.ts";

export interface FirstUserDeps {
  readonly newId: IdGenerator;
  readonly random: Random;
}

export interface NewMachineAdministrator {
  readonly organizationId: string;
  readonly username: string;
  readonly name: string;
  readonly role: "IAM_OWNER" | "IAM_LOGIN_CLIENT";
  /** Asks for a personal access token; without expiry when `expiresAt` is absent. */
  readonly token?: { readonly expiresAt?: number | undefined } | undefined;
  /** A key to sign assertions with. */
  readonly key?: NewUserKey | undefined;
}

export interface MachineAdministrator {
  readonly userId: string;
  readonly token?: IssuedToken;
  readonly key?: AddedUserKey;
}

// Only the operator can create the owner of an instance.
const operatorsWord: ContactProof = { by: "administrator", level: "system" };

/** Step: creates a user who owns the instance. The first one closes its setup forever. */
export async function createOwner(
  tx: Tx,
  deps: FirstUserDeps,
  input: NewHumanUser,
): Promise<{ readonly userId: string }> {
  const email = { ...input.email, proof: operatorsWord, namedBy: formatAuthor(ownerOfInstance) };
  const { userId } = await createHumanUser(tx, deps, { ...input, email });
  await addMembership(tx, { endPreparedSessions }, instanceScope(tx), { userId, roles: ["IAM_OWNER"] });
  await completeInstanceSetup(tx);
  return { userId };
}

/** Step: creates a service account that administrates the instance. */
export async function createMachineAdministrator(
  tx: Tx,
  deps: FirstUserDeps,
  input: NewMachineAdministrator,
): Promise<MachineAdministrator> {
  const { organizationId, token, key } = input;
  const { userId } = await createMachineUser(tx, deps, input);
  await addMembership(tx, { endPreparedSessions }, instanceScope(tx), { userId, roles: [input.role] });
  return {
    userId,
    ...(token && { token: await issuePersonalAccessToken(tx, deps, { userId, expiresAt: token.expiresAt }) }),
    ...(key && { key: await issueUserKey(tx, deps, { userId, organizationId }, key) }),
  };
}

const instanceScope = (tx: Tx) => ({ level: "instance", resourceId: tx.instanceId, ownerId: tx.instanceId }) as const;
