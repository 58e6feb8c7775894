import { namespaceWords } from "../../authority/index.ts";
import type { OAuthDeps } from "../deps.ts";

const own = "urn:service:";

/**
 * Writes our namespaced claims in every namespace that the instance lists, by default ours and each alias, because
 * clients of this interface read roles in theirs whatever scope they asked for.
 */
export async function inNamespaces(
  deps: Pick<OAuthDeps, "settings" | "namespaceAliases">,
  instanceId: string,
  claims: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  if (deps.namespaceAliases.length === 0 || !Object.keys(claims).some((name) => name.startsWith(own))) {
    return { ...claims };
  }
  const { settings } = await deps.settings.get("security", { instanceId });
  const words = namespaceWords(deps.namespaceAliases, settings.claimNamespaces ?? []);
  return Object.fromEntries(
    Object.entries(claims).flatMap(([name, value]) =>
      name.startsWith(own) ? words.map((word) => [`urn:${word}:${name.slice(own.length)}`, value]) : [[name, value]],
    ),
  );
}
