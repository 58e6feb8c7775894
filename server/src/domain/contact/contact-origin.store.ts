import { inTurn, type Reader, sql, type Tx } from "../../database/index.ts";
import { type ContactProof, parseProof } from "../user/index.ts";

/** Where an address or a number of a user comes from. */
export interface ContactOrigin {
  /** The address or the number itself. */
  readonly recipient: string;
  /** The author who named it, as it is stored; empty where the user did, null where that is not known. */
  readonly namedBy: string | null;
  readonly proof: ContactProof | undefined;
  /**
   * Whether its reader entered a code that only a message to it had, and could not be another: a user is told at the
   * former address of a new one, and of a number nowhere. Users who confirm a number themselves name it
   * (`verify-phone.ts`).
   */
  readonly isConfirmed: boolean;
}

type Channel = "email" | "sms";

/** Finds where the address and the number of a user come from, each where the user has one. */
export async function findContactOrigins(
  reader: Reader,
  instanceId: string,
  userId: string,
): Promise<{ readonly [channel in Channel]?: ContactOrigin }> {
  const row = await reader.maybe<{
    email: string | null;
    emailAuthor: string | null;
    emailProof: string | null;
    emailProvenAt: number | null;
    phone: string | null;
    phoneAuthor: string | null;
    phoneProof: string | null;
  }>(sql`select email, email_author as "emailAuthor", email_proof as "emailProof", email_proven_at as "emailProvenAt",
      phone, phone_author as "phoneAuthor", phone_proof as "phoneProof"
    from users where instance_id = ${instanceId} and user_id = ${userId}`);
  if (row === undefined) return {};
  const emailProof = parseProof(row.emailProof);
  const phoneProof = parseProof(row.phoneProof);
  return {
    ...(row.email !== null && {
      email: {
        recipient: row.email,
        namedBy: row.emailAuthor,
        proof: emailProof,
        isConfirmed: row.emailProvenAt !== null || emailProof?.by === "code",
      },
    }),
    ...(row.phone !== null && {
      sms: {
        recipient: row.phone,
        namedBy: row.phoneAuthor,
        proof: phoneProof,
        isConfirmed: false,
      },
    }),
  };
}

/** Sets who named the address or the number of a user. */
export async function updateContactAuthor(
  tx: Tx,
  userId: string,
  { channel, author }: { readonly channel: Channel; readonly author: string },
): Promise<void> {
  const column = channel === "email" ? sql`email_author` : sql`phone_author`;
  await tx.run(sql`update users set ${column} = ${author}
    where instance_id = ${tx.instanceId} and user_id = ${userId}
    ${inTurn(tx, "alone", "user", userId)}`);
}
