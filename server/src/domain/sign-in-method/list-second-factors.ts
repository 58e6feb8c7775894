import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type Factor, listFactorsOfUser } from "../factor/index.ts";
import { authorizeUser, readUser } from "../user/index.ts";
import { listCredentialsOfUser } from "../webauthn-key/index.ts";

/** A second factor that a user has, or began to add. */
export type SecondFactor =
  | {
      readonly kind: "totp" | "otp_email" | "otp_sms";
      readonly state: Factor["state"];
      /** By too many wrong codes. */
      readonly isBlocked: boolean;
    }
  | { readonly kind: "u2f"; readonly state: Factor["state"]; readonly credentialId: string; readonly name: string };

export interface SecondFactorFilter {
  /** All kinds when empty. */
  readonly kinds: readonly SecondFactor["kind"][];
  /** Only ready factors when empty. */
  readonly states: readonly (Factor["state"] | "removed")[];
}

/** Lists the second factors of a user, for callers who may read the user. Each security key counts as a factor. */
export async function listSecondFactors(
  deps: { readonly database: Database },
  call: Call,
  { userId, kinds, states }: SecondFactorFilter & { readonly userId: string },
): Promise<readonly SecondFactor[]> {
  const { read } = deps.database;
  await authorizeUser(read, call, userId, readUser);
  const typed = (await listFactorsOfUser(read, call.instanceId, userId)).flatMap(toTyped);
  const keys = (await listCredentialsOfUser(read, call.instanceId, userId)).flatMap(({ kind, ...key }) =>
    kind === "u2f" ? [{ ...key, kind }] : [],
  );
  const wanted: SecondFactorFilter["states"] = states.length === 0 ? ["ready"] : states;
  return [...typed, ...keys].filter(
    ({ kind, state }) => wanted.includes(state) && (kinds.length === 0 || kinds.includes(kind)),
  );
}

const toTyped = ({ kind, state, blockedAt }: Factor): SecondFactor[] =>
  kind === "totp" || kind === "otp_email" || kind === "otp_sms" ? [{ kind, state, isBlocked: blockedAt !== null }] : [];
