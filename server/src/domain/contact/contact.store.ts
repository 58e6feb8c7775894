import { inTurn, sql, type Tx } from "../../database/index.ts";
import { type ContactProof, formatProof, reachesInstance } from "../user/index.ts";

/** Sets the address. Proofs are of the former one, unless it is the same in another spelling. */
export async function updateEmail(
  tx: Tx,
  userId: string,
  email: {
    readonly shown: string;
    readonly key: string;
    readonly isVerified: boolean;
    readonly proof: ContactProof | undefined;
  },
): Promise<void> {
  const since = email.isVerified
    ? sql`case when email_key = ${email.key} and email_verified_at is not null then email_verified_at else ${tx.now} end`
    : sql`null`;
  await tx.run(sql`update users set email = ${email.shown}, email_key = ${email.key}, is_email_verified = ${email.isVerified},
      email_proof = ${formatProof(email.proof)}, is_email_proof_wide = ${reachesInstance(email.proof)}, email_verified_at = ${since},
      email_proven_at = case when email_key = ${email.key} then email_proven_at else null end
    where instance_id = ${tx.instanceId} and user_id = ${userId}
    ${inTurn(tx, "alone", "user", userId)}`);
}

/**
 * Marks the address as verified, if the user still has it and it was not verified before. An address that was verified
 * by a word gets the better proof of a code.
 */
export async function updateEmailVerified(
  tx: Tx,
  userId: string,
  { address, proof }: { readonly address: string; readonly proof: ContactProof },
): Promise<boolean> {
  const better = proof.by === "code" ? sql`or coalesce(email_proof, '') <> ${formatProof(proof)}` : sql``;
  const count =
    await tx.run(sql`update users set is_email_verified = 1, email_proof = ${formatProof(proof)}, is_email_proof_wide = ${reachesInstance(proof)},
      email_verified_at = case when is_email_verified = 1 then email_verified_at else ${tx.now} end,
      email_proven_at = ${proof.by === "code" ? sql`coalesce(email_proven_at, ${tx.now})` : sql`email_proven_at`}
    where instance_id = ${tx.instanceId} and user_id = ${userId} and email = ${address}
      and (is_email_verified = 0 ${better})
    ${inTurn(tx, "alone", "user", userId)}`);
  return count > 0;
}

/**
 * Replaces the proof of the address, if the user still has both, by another one; returns the address as the user has
 * it, undefined when nothing changed.
 */
export async function updateEmailProof(
  tx: Tx,
  userId: string,
  { emailKey, former, proof }: EmailProofChange,
): Promise<string | undefined> {
  const row = await tx.maybe<{
    readonly email: string;
  }>(sql`update users set email_proof = ${formatProof(proof)}, is_email_proof_wide = ${reachesInstance(proof)}
    where instance_id = ${tx.instanceId} and user_id = ${userId} and email_key = ${emailKey} and is_email_verified = 1
      and email_proof = ${formatProof(former)}
    ${inTurn(tx, "alone", "user", userId)} returning email`);
  return row?.email;
}

interface EmailProofChange {
  readonly emailKey: string;
  readonly former: ContactProof;
  readonly proof: ContactProof;
}

/** Notes that the user read a message to their present address: a code that only the message had was entered. */
export async function updateEmailProven(tx: Tx, userId: string, address: string): Promise<void> {
  await tx.run(sql`update users set email_proven_at = ${tx.now}
    where instance_id = ${tx.instanceId} and user_id = ${userId} and email = ${address} and email_proven_at is null
    ${inTurn(tx, "alone", "user", userId)}`);
}

/** Sets the phone number, or removes it (null) with its author. */
export async function updatePhone(
  tx: Tx,
  userId: string,
  phone: {
    readonly number: string;
    readonly isVerified: boolean;
    readonly proof: ContactProof | undefined;
  } | null,
): Promise<void> {
  const since =
    phone?.isVerified === true
      ? sql`case when phone = ${phone.number} and phone_verified_at is not null then phone_verified_at else ${tx.now} end`
      : sql`null`;
  await tx.run(sql`update users set phone = ${phone?.number ?? null}, phone_verified_at = ${since}, is_phone_verified = ${phone === null ? null : phone.isVerified},
      ${phone === null ? sql`phone_author = null,` : sql``} phone_proof = ${formatProof(phone?.proof)}, is_phone_proof_wide = ${reachesInstance(phone?.proof)}
    where instance_id = ${tx.instanceId} and user_id = ${userId}
    ${inTurn(tx, "alone", "user", userId)}`);
}

/** Marks the number as verified, if the user still has it and it was not verified before. */
export async function updatePhoneVerified(
  tx: Tx,
  userId: string,
  { number, proof }: { readonly number: string; readonly proof: ContactProof },
): Promise<boolean> {
  const count =
    await tx.run(sql`update users set is_phone_verified = 1, phone_verified_at = ${tx.now}, phone_proof = ${formatProof(proof)}, is_phone_proof_wide = ${reachesInstance(proof)}
    where instance_id = ${tx.instanceId} and user_id = ${userId} and phone = ${number} and is_phone_verified = 0
    ${inTurn(tx, "alone", "user", userId)}`);
  return count > 0;
}
