import { type Client, findPresentTarget } from "../../domain/application/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { UntrustedRequest } from "./resolve-client.ts";

/**
 * Returns what to show instead of a response that may not be sent where the request asked for it: the client, or its
 * administrator, took the address away since it was checked, perhaps on another node.
 */
export async function refuseFormerTarget(
  { database }: Pick<OAuthDeps, "database">,
  client: Client,
  target: { readonly redirectUri: string; readonly responseType: string | undefined; readonly testId?: string },
): Promise<UntrustedRequest | undefined> {
  const { redirectUri, testId } = target;
  if (!client.isActive) return new UntrustedRequest("authorize.client_unknown");
  const present = await findPresentTarget(database.read, client, target);
  switch (present) {
    case "open":
      return undefined;
    case "inactive":
      return new UntrustedRequest("authorize.client_unknown");
    case "removed":
      // The address of tests is ours, and no client's.
      if (testId !== undefined) return undefined;
      return new UntrustedRequest("authorize.redirect_uri_mismatch", { client, redirectUri });
    default:
      return present satisfies never;
  }
}
