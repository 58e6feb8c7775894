import type { TrustedRequest } from "../asked.ts";

/** Refuses what could not be read: a repeated parameter, a request object that is not the client's. */
export function refuseUnread({ refused }: Pick<TrustedRequest, "refused">): void {
  if (refused !== undefined) throw refused;
}
