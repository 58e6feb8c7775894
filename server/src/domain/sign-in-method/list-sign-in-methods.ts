import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { mayPrepareFor } from "../administrator-access/index.ts";
import { countRecoveryCodes, type FactorKind, listFactorsOfUser } from "../factor/index.ts";
import { type ListedIdentityLink, listIdentityLinks } from "../identity-provider-link/index.ts";
import { authorizeUser, readUser, requireHuman } from "../user/index.ts";
import { type KeyCredential, listCredentialsOfUser } from "../webauthn-key/index.ts";

/** Everything that a user can sign in with, as the user sees it. Only what is set up and ready. */
export interface SignInMethods {
  readonly hasPassword: boolean;
  readonly passwordChangedAt: number | undefined;
  readonly passkeys: readonly KeyCredential[];
  readonly securityKeys: readonly KeyCredential[];
  /** Kinds with typed codes. */
  readonly codes: readonly Exclude<FactorKind, "passkey" | "u2f">[];
  readonly recoveryCodesLeft: number;
  readonly links: readonly ListedIdentityLink[];
}

/** Lists what a user can sign in with, for callers who may read the user. */
export async function listSignInMethods(
  deps: { readonly database: Database },
  call: Call,
  { userId }: { readonly userId: string },
): Promise<SignInMethods> {
  const { read } = deps.database;
  const { instanceId } = call;
  const user = requireHuman(await authorizeUser(read, call, userId, readUser));
  const [factors, keys, recoveryCodesLeft, links] = await Promise.all([
    listFactorsOfUser(read, instanceId, userId),
    listCredentialsOfUser(read, instanceId, userId),
    countRecoveryCodes(read, instanceId, userId),
    listIdentityLinks({ ...deps, mayPrepareFor }, call, {
      userId,
      // One page: a user has at most 100.
      page: { offset: 0, limit: 100 },
      isDescending: false,
    }),
  ]);
  const ready = keys.filter(({ state }) => state === "ready");
  return {
    hasPassword: user.hasPassword,
    passwordChangedAt: user.passwordChangedAt,
    passkeys: ready.filter(({ kind }) => kind === "passkey"),
    securityKeys: ready.filter(({ kind }) => kind === "u2f"),
    codes: factors.flatMap(({ kind, state }) =>
      state === "ready" && kind !== "passkey" && kind !== "u2f" ? [kind] : [],
    ),
    recoveryCodesLeft,
    links: links.rows,
  };
}
