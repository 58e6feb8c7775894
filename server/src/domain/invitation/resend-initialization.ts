import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { applyEmail, type CodeDeps, issueCode } from "../contact/index.ts";
import {
  type AuthorizeDeps,
  findUser,
  type HumanUser,
  holdAuthorizedUser,
  readDetails,
  requireHuman,
  writeOthers,
} from "../user/index.ts";

/** Step: sends a new user the message with which an account begins. */
export async function sendInitialization(
  tx: Tx,
  deps: CodeDeps,
  user: HumanUser,
  { isPaid = false }: { readonly isPaid?: boolean } = {},
): Promise<void> {
  const { address: recipient } = user.email;
  const delivery = { by: "message", isPaid } as const;
  await issueCode(tx, deps, user, { kind: "initialization", channel: "email", recipient, delivery });
}

/** Sends that message again, to another address when one is given. Refused once the user has begun. */
export function resendInitialization(
  deps: AuthorizeDeps & CodeDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly email?: string | undefined },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const held = requireHuman(await holdAuthorizedUser(tx, input.userId, writeOthers(deps)));
    if (held.state !== "initial") throw new Fault("failed_precondition", "user.already_initialised");
    if (input.email !== undefined) {
      await applyEmail(tx, deps, held, { address: input.email, verification: { by: "nothing" } });
    }
    const user = await findUser(tx, tx.instanceId, held.userId);
    if (user?.kind !== "human") throw new Fault("internal", "user.kind_unexpected");
    await sendInitialization(tx, deps, user);
    return readDetails(tx, user);
  });
}
