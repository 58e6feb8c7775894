import { Fault } from "../../../base/fault.ts";
import { supportOf } from "../../../base/password/password-hash.ts";
import { parseEmail, parsePhone, parseUsername } from "../../../domain/login-name/index.ts";
import { createTexts } from "../../../text/index.ts";
import { UserRefused } from "../sources/source.ts";
import type { Rules } from "./rules.ts";

const texts = createTexts();

/** The rules by which the server judges a request. */
export const serverRules: Rules = {
  parseEmail: (text) => refusing("email", () => parseEmail(text, "email")),
  parseUsername: (text) => refusing("username", () => parseUsername(text, "username")),
  parsePhone: (text) => refusing("phone", () => parsePhone(text, "phone")),
  judgeHash: supportOf,
};

function refusing<Value>(field: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Fault) throw new UserRefused(field, texts.explain("en", error));
    throw error;
  }
}
