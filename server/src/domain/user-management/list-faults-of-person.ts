import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { parseEmail, parseUsername } from "../login-name/index.ts";
import { checkPasswordFor, type PasswordDeps, type PasswordOwner } from "../password/index.ts";
import { parseProfile } from "../user/index.ts";

/**
 * Returns everything that is wrong with what a person entered for an account of their own, so that they can correct it
 * at once; creating the account would name only the first. Does not ask which names and addresses are taken.
 */
export async function listFaultsOfPerson(
  deps: Pick<PasswordDeps, "settings">,
  call: Call,
  person: PasswordOwner & { readonly password: string },
): Promise<Fault[]> {
  const { username, email, profile, password } = person;
  const checks: readonly (() => unknown)[] = [
    () => parseProfile(profile),
    () => parseEmail(email.address, "email"),
    () => parseUsername(username, "username"),
    () => checkPasswordFor(deps, call, person, password),
  ];
  const faults: Fault[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      faults.push(error);
    }
  }
  return faults;
}
