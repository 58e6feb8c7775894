import type { IdGenerator } from "../../base/id.ts";
import type { Tx } from "../../database/index.ts";
import { type AccessTokenFormat, insertUser, type MachineUser, parseName } from "../user/index.ts";
import { formAccount, recordNewUser } from "./new-account.ts";

export interface NewMachineUser {
  readonly organizationId: string;
  /** Chosen by the caller, or generated. */
  readonly userId?: string | undefined;
  /** Defaults to the id. */
  readonly username?: string | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  /** Format of the access tokens that the account gets; opaque by default. */
  readonly accessTokenFormat?: AccessTokenFormat | undefined;
}

/** Step: creates a service account, without any credential yet. */
export async function createMachineUser(
  tx: Tx,
  deps: { readonly newId: IdGenerator },
  input: NewMachineUser,
): Promise<MachineUser> {
  const account = await formAccount(tx, deps, input);
  const user = await insertUser(tx, {
    ...account,
    kind: "machine",
    displayName: parseName(input.name, "name"),
    description: input.description?.trim() ?? "",
    accessTokenFormat: input.accessTokenFormat ?? "opaque",
  });
  return recordNewUser(tx, account, "machine", user);
}
