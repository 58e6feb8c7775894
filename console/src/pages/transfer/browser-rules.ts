import { canonicalName, hasInvisible } from "../../../../server/src/base/names/canonical.ts";
import type { Rules } from "../../../../server/src/cli/user/checking/rules.ts";
import { UserRefused } from "../../../../server/src/cli/user/sources/source.ts";
import { t } from "../../text/catalogue.ts";

const longestName = 200;
const hashForms =
  /^\$(?:2[aby]\$\d\d\$|argon2(?:id|i|d)\$|(?:firebase-)?scrypt\$|pbkdf2(?:-sha(?:1|224|256|384|512))?\$)/;
const mostBcryptCost = 12;

/** What a browser can judge of a user before they are sent. Everything else is found out by the server. */
export const browserRules: Rules = {
  parseEmail: (text) => {
    const shown = text.trim();
    if (/^[^\s@]+@[^\s@]+$/.test(shown) && isName(shown)) return { shown, key: canonicalName(shown) };
    throw new UserRefused("email", t("user.email.invalid"));
  },
  parseUsername: (text) => {
    const shown = text.trim();
    if (isName(shown)) return { shown, key: canonicalName(shown) };
    throw new UserRefused("username", t("form.required"));
  },
  parsePhone: (text) => {
    const digits = text.replace(/[\s()./-]/g, "");
    if (/^\+[1-9]\d{5,14}$/.test(digits)) return digits;
    throw new UserRefused("phone", t("user.phone.hint"));
  },
  judgeHash: (hash) => {
    if (!hashForms.test(hash)) return "unsupported";
    const cost = /^\$2[aby]\$(\d\d)\$/.exec(hash)?.[1];
    return cost !== undefined && Number(cost) > mostBcryptCost ? "too_costly" : "supported";
  },
};

const isName = (text: string): boolean => text !== "" && text.length <= longestName && !hasInvisible(text);
