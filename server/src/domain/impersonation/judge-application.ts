import type { Reader } from "../../database/index.ts";
import { findActiveClient } from "../application/index.ts";
import { checkProjectAccess } from "../authorization/index.ts";

/** An application, and the user as whom an administrator would sign in to it. */
interface UserOfApplication {
  readonly clientId: string;
  readonly userId: string;
  /** Of the user. */
  readonly organizationId: string;
}

/**
 * Judges, by the rows of now, whether an administrator can sign in to an application as a user. `unreachable`: the user
 * could not sign in themselves, because application, project or organization is inactive, or because the user or their
 * organization lacks what the project requires. `unsuitable`: it comes with the instance (neither console nor account
 * are used as another user), gets its tokens without a code, or needs a consent that the administrator would give for
 * the user.
 */
export async function judgeApplication(
  reader: Reader,
  instanceId: string,
  { clientId, userId, organizationId: userOrganizationId }: UserOfApplication,
): Promise<"suitable" | "unreachable" | "unsuitable"> {
  const client = await findActiveClient(reader, instanceId, clientId);
  if (client === undefined) return "unreachable";
  const access = await checkProjectAccess(reader, instanceId, { userId, userOrganizationId, project: client });
  if (access !== "allowed") return "unreachable";
  const { isBuiltIn, isConsentRequired, responseTypes } = client;
  return !isBuiltIn && !isConsentRequired && responseTypes.has("code") ? "suitable" : "unsuitable";
}
