import type { Call } from "../call/index.ts";
import type { Client } from "../domain/application/index.ts";
import type { OAuthDeps } from "./deps.ts";

/**
 * The base address of the login that serves an application, when it is not ours: the application's own, else the instance's. An instance that
 * requires such a login gives it to every application. Without any address it is the hosted login, so that nobody is sent nowhere.
 * `client` is undefined where nobody said which application it is about.
 */
export async function findCustomLogin(
  deps: Pick<OAuthDeps, "findLoginFeature">,
  { instanceId }: Call,
  client: Pick<Client, "loginVersion"> | undefined,
): Promise<string | undefined> {
  const version = client?.loginVersion;
  const own = version?.kind === "v2" ? version.baseUri : undefined;
  if (isAddress(own)) return own;
  const { required, baseUri } = await deps.findLoginFeature(instanceId);
  return (required || version?.kind === "v2") && isAddress(baseUri) ? baseUri : undefined;
}

const isAddress = (uri: string | undefined): uri is string => uri !== undefined && uri !== "";

/** The address of a page of such a login: below its base, whether that ends with a slash or not. */
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
