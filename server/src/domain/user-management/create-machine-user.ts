import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Tx } from "../../database/index.ts";
import { type AccessTokenFormat, type MachineUser, parseName } from "../user/index.ts";
import { createUserOfKind } from "./create-user-of-kind.ts";

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
  const user = await createUserOfKind(tx, deps, input, {
    kind: "machine",
    displayName: parseName(input.name, "name"),
    description: input.description?.trim() ?? "",
    accessTokenFormat: input.accessTokenFormat ?? "opaque",
  });
  if (user.kind !== "machine") throw new Fault("internal", "user.kind_unexpected");
  return user;
}
