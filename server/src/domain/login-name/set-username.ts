import { Fault } from "../../base/fault.ts";
import { addressKey } from "../../base/names/address-key.ts";
import { type Tx, UniqueViolation } from "../../database/index.ts";
import { recordUserEvent, type User, updateNames } from "../user/index.ts";
import { isOwnChoice } from "./chosen-name.ts";
import { formNames } from "./form-names.ts";
import { parseUsername } from "./identifier.ts";

/** Step: gives a user another username, and so another login name. An identical username changes nothing. */
export async function applyUsername(tx: Tx, user: User, username: string): Promise<void> {
  const parsed = parseUsername(username, "username");
  if (parsed.shown === user.username) return;
  const email =
    user.kind === "human" ? { key: addressKey(user.email.address), isVerified: user.email.isVerified } : undefined;
  const isSelf = tx.call.caller?.userId === user.userId;
  const names = await formNames(tx, user.organizationId, { username: parsed, email, isSelf });
  await updateNames(tx, user.userId, { ...names, isOwnChoice: isOwnChoice(tx.call, user.userId) }).catch(
    (error: unknown) => {
      if (!(error instanceof UniqueViolation)) throw error;
      throw new Fault("already_exists", "user.username_taken", { field: "username", cause: error });
    },
  );
  await recordUserEvent(tx, user, {
    type: "user.username.set",
    payload: { username: names.username, preferredLoginName: names.preferredLoginName },
  });
}
