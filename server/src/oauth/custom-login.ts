import type { Call } from "../call/index.ts";
import type { Client } from "../domain/application/index.ts";
import type { OAuthDeps } from "./deps.ts";

/**
 * Returns the base address of the custom login of an application: the application's own, otherwise the instance's. An
 * instance that requires a custom login uses it for every application but those that come with the instance: their
 * users need a session here. Without any address the hosted login is used, so that users always reach a login. `client`
 * is undefined where the application is unknown. One that is deactivated leads browsers nowhere.
 */
export async function findCustomLogin(
  deps: Pick<OAuthDeps, "findLoginFeature">,
  { instanceId }: Call,
  client: Pick<Client, "loginVersion" | "isActive" | "builtInAt"> | undefined,
): Promise<string | undefined> {
  if (client?.builtInAt !== undefined) return undefined;
  const version = client?.isActive === true ? client.loginVersion : undefined;
  const own = version?.kind === "v2" ? version.baseUri : undefined;
  if (isAddress(own)) return own;
  const { required, baseUri } = await deps.findLoginFeature(instanceId);
  return (required || version?.kind === "v2") && isAddress(baseUri) ? baseUri : undefined;
}

const isAddress = (uri: string | undefined): uri is string => uri !== undefined && uri !== "";

/** Returns the address of a page of a custom login: below its base, with or without a trailing slash. */
export function customLoginUrl(
  base: string,
  page: "login" | "logout",
  query: Readonly<Record<string, string>>,
): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${page}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  url.hash = "";
  return url.href;
}
