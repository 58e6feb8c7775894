import { accessOfAuthor, parseAuthor } from "../../call/index.ts";
import type { ManagesUsers } from "../user/index.ts";
import { permissionsOfAll } from "./roles.ts";

/**
 * Whether what an author said of a user is the word of those who manage users of the organization. It is not where it
 * was only passed on, by a sign-in application or in a session, nor where the author is not known.
 */
export const managesUsers: ManagesUsers = (stored, organizationId) => {
  if (stored === null || stored === "") return false;
  const author = parseAuthor(stored);
  if ("preparedBy" in author) return false;
  return accessOfAuthor(author, permissionsOfAll).allows("user.write", { organizationId });
};
