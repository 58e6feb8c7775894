import { Fault } from "../../base/fault.ts";
import type { Reader } from "../../database/index.ts";
import type { FoundUser } from "./found-user.ts";
import { parsePhone } from "./identifier.ts";
import { listUsersByPhone } from "./login-name.store.ts";
import { onlyOne } from "./only-one.ts";

/**
 * Finds the user with a confirmed phone number, however its digits are grouped: when exactly one user has it, or one
 * active user. Undefined for input that is not a number with its country code.
 */
export async function findUserByPhone(
  reader: Reader,
  instanceId: string,
  typed: string,
  options: { readonly organizationId?: string | undefined } = {},
): Promise<FoundUser | undefined> {
  const number = readNumber(typed);
  if (number === undefined) return undefined;
  return onlyOne((limit) =>
    listUsersByPhone(reader, instanceId, number, { organizationId: options.organizationId, limit }),
  );
}

function readNumber(typed: string): string | undefined {
  try {
    return parsePhone(typed, "loginName");
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
