import { Fault } from "../../base/fault.ts";
import type { Reader } from "../../database/index.ts";
import type { FoundUser } from "./found-user.ts";
import { parsePhone } from "./identifier.ts";
import { listUsersByPhone } from "./login-name.store.ts";
import { onlyOne } from "./only-one.ts";

/**
 * Finds whose confirmed phone number it is, in whatever way its digits are grouped: when it is one person's, or one active person's. Undefined for
 * whatever is no number with its country.
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
