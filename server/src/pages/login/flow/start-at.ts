import type { Client } from "../../../domain/application/index.ts";
import { type Href, toHref } from "../../../html/index.ts";

/**
 * Returns where an application starts a sign-in, with us as issuer and the user's name; undefined without such an
 * address.
 */
export function startAt(
  { initiateLoginUri: address }: Pick<Client, "initiateLoginUri">,
  issuer: string,
  loginHint?: string,
): Href | undefined {
  if (address === "") return undefined;
  const parameters = new URLSearchParams({ iss: issuer, ...(loginHint !== undefined && { login_hint: loginHint }) });
  return toHref(`${address}${address.includes("?") ? "&" : "?"}${parameters.toString()}`);
}
