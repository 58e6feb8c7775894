import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeUser, readUser } from "./authorize-user.ts";

export type AuthenticationMethod = "password";

/** How a user can prove who he is, for who may read him. */
export async function listAuthenticationMethods(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly userId: string },
): Promise<{ readonly methods: readonly AuthenticationMethod[]; readonly details: Details }> {
  const user = await authorizeUser(deps.database.read, call, input.userId, readUser);
  return { methods: user.kind === "human" && user.hasPassword ? ["password"] : [], details: user.details };
}
