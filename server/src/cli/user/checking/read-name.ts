import { hasInvisible } from "../../../base/names/canonical.ts";
import type { Loss, SourceUser } from "../sources/source.ts";

const longestName = 200;
const noName = "-";

/** Returns the profile. A user has a given and a family name here; what the source lacks comes from other names. */
export function readName(user: SourceUser, email: string, losses: Loss[]) {
  const optional = (field: "displayName" | "nickName"): string => {
    const name = user[field];
    if (name === "" || isName(name)) return name;
    losses.push({ field, what: "lost", why: "it is too long, or has invisible characters" });
    return "";
  };
  const displayName = optional("displayName");
  const nickName = optional("nickName");
  const [first = "", ...rest] = displayName.split(/\s+/);
  const fallback = { givenName: first || (email.split("@")[0] ?? ""), familyName: rest.join(" ") || noName };
  const required = (field: "givenName" | "familyName"): string => {
    const name = user[field];
    if (name !== "" && isName(name)) return name;
    const used = isName(fallback[field]) ? fallback[field] : noName;
    losses.push({ field, what: "changed", why: `it is missing or not a name, and becomes ${used}` });
    return used;
  };
  const language = readLanguage(user.language);
  if (language === undefined && user.language !== "") {
    losses.push({ field: "language", what: "lost", why: "it is not a language tag" });
  }
  return {
    givenName: required("givenName"),
    familyName: required("familyName"),
    ...(displayName !== "" && { displayName }),
    ...(nickName !== "" && { nickName }),
    ...(language !== undefined && { preferredLanguage: language }),
  };
}

const isName = (name: string): boolean =>
  name.trim().length >= 1 && name.length <= longestName && !hasInvisible(name.trim());

// Systems write `en_US` as well as `en-US`.
function readLanguage(text: string): string | undefined {
  try {
    const tag = text === "" ? undefined : Intl.getCanonicalLocales(text.replaceAll("_", "-"))[0];
    return tag === undefined || tag.length > 10 ? undefined : tag;
  } catch {
    return undefined;
  }
}
