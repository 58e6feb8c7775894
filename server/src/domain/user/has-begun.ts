import type { Tx } from "../../database/index.ts";
import { hasFactor } from "./user.store.ts";
import type { HumanUser } from "./user.ts";

/** Whether a user can sign in already, with a password or a factor: then invitations are no longer sent or accepted. */
export const hasBegun = async (tx: Tx, { userId, hasPassword }: Pick<HumanUser, "userId" | "hasPassword">) =>
  hasPassword || (await hasFactor(tx, userId));
