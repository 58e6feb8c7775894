import type { Tx } from "../../database/index.ts";
import { emailKeyOf } from "../login-name/index.ts";
import { type ContactProof, recordUserEvent, toldProof } from "../user/index.ts";
import { updateEmailProof } from "./contact.store.ts";

/**
 * Step: lets the word of a provider about the user's address count in the whole instance, where it counted in the
 * user's organization alone. Only for the address that the provider vouches for now.
 */
export async function widenEmailProof(
  tx: Tx,
  user: { readonly userId: string; readonly organizationId: string },
  { address, former, proof }: { readonly address: string; readonly former: ContactProof; readonly proof: ContactProof },
): Promise<void> {
  const emailKey = emailKeyOf(address);
  if (emailKey === undefined) return;
  const email = await updateEmailProof(tx, user.userId, { emailKey, former, proof });
  if (email === undefined) return;
  await recordUserEvent(tx, user, { type: "user.email.verified", payload: { email, proof: toldProof(proof) } });
}
