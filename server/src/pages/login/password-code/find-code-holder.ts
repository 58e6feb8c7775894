import { Fault } from "../../../base/fault.ts";
import { mayPrepareFor } from "../../../domain/administrator-access/index.ts";
import { checkCode } from "../../../domain/contact/index.ts";
import type { HumanUser } from "../../../domain/user/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Visit } from "../../visit/visit.ts";
import type { PasswordCodePurpose } from "./view.ts";

/**
 * Returns the user of a page when the code is theirs, and undefined for any other code or user: then nothing on the
 * page may depend on the user. A wrong code counts as a guess, including in a link.
 */
export async function findCodeHolder(
  deps: PageDeps,
  { call }: Visit,
  { purpose, userId, code }: { readonly purpose: PasswordCodePurpose; readonly userId: string; readonly code: string },
): Promise<HumanUser | undefined> {
  try {
    return await checkCode({ ...deps, mayPrepareFor }, call, { userId, kind: purpose, code });
  } catch (error) {
    if (error instanceof Fault && error.id === "user.code_invalid") return undefined;
    throw error;
  }
}
