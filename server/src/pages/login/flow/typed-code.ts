import { type CodeName, readCodeFormat } from "../../../domain/settings/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Visit } from "../../visit/visit.ts";

const longestCode = 200;

/** Normalizes a typed code: blanks and dashes are only for readability. */
export const readTyped = (text: string | null): string => (text ?? "").replace(/[\s-]/g, "").slice(0, longestCode);

/**
 * Normalizes a code that was typed or in a link. Groups are only for readability, and so are capitals, unless the
 * settings generate codes with small letters.
 */
export async function readTypedCode(
  { database }: Pick<PageDeps, "database">,
  { call }: Visit,
  kind: CodeName,
  text: string | null,
): Promise<string> {
  const code = readTyped(text);
  const { isCaseless } = await readCodeFormat(database.read, call.instanceId, kind);
  return isCaseless ? code.toUpperCase() : code;
}
