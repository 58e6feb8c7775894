import { hasInvisible } from "./canonical.ts";

/** Whether people can see the name and tell it from others: 1 to 200 characters, not blank, no invisible characters. */
export function isName(text: string): boolean {
  return text.trim() !== "" && text.length <= 200 && !hasInvisible(text);
}
