import type { Budgets } from "../../base/budget/budgets.ts";
import type { IdGenerator } from "../../base/id.ts";
import { generateRsaKeyPair, importPublicKey, rsaKeyPairKind, toPublicPem } from "../../base/jose/index.ts";
import { type Call, payForKeyPair } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import {
  type AuthorizeDeps,
  authorizeUser,
  holdAuthorizedUser,
  requireMachine,
  type User,
  writeOwn,
} from "../user/index.ts";
import { parseExpiry } from "./expiry.ts";
import { type AddedUserKey, issueUserKey } from "./issue-user-key.ts";
import { refuseOutlasting } from "./refuse-outlasting.ts";
import { refuseTooMany } from "./refuse-too-many.ts";

export interface AddUserKey {
  readonly userId: string;
  readonly expiresAt?: number | undefined;
  /** The caller's public key (PEM or JWK); without it a key pair is generated. */
  readonly publicKey?: string | undefined;
}

export interface AddUserKeyDeps extends AuthorizeDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
  readonly budgets: Budgets;
}

/** Gives a service account a key to sign assertions with. Only the public half is stored. */
export async function addUserKey(deps: AddUserKeyDeps, call: Call, input: AddUserKey): Promise<AddedUserKey> {
  const { userId } = input;
  const expiresAt = parseExpiry(input.expiresAt, call.now);
  // Before the key pair is generated: that takes a tenth of a second, which unauthorized callers must not cost us.
  const found = requireMachine(await authorizeUser(deps.database.read, call, userId, writeOwn(deps)));
  refuseOutlasting(call, found, { expiresAt, field: "expirationDate" });
  await refuseTooMany(deps.database.read, call, { userId, field: "keys" });
  const pair = input.publicKey === undefined ? await generatePair(deps, call, found) : readPublicKey(input.publicKey);
  return deps.database.change(call, async (tx) => {
    const user = requireMachine(await holdAuthorizedUser(tx, userId, writeOwn(deps)));
    await refuseTooMany(tx, tx, { userId, field: "keys" });
    return issueUserKey(tx, deps, user, { ...pair, expiresAt });
  });
}

function generatePair(deps: AddUserKeyDeps, call: Call, { organizationId }: Pick<User, "organizationId">) {
  const owner = { organizationId, permission: writeOwn(deps).permission };
  return payForKeyPair(deps, call, { kind: rsaKeyPairKind, owner }, () => generateRsaKeyPair(call.gone?.()));
}

const readPublicKey = (publicKey: string): { readonly publicPem: string } => ({
  publicPem: toPublicPem(importPublicKey(publicKey).key),
});
