import { type CodeName, readCodeFormat } from "../../../domain/settings/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Visit } from "../../visit/visit.ts";

const longestCode = 200;

/** What somebody typed where a code belongs: blanks and dashes are for the eye. */
export const readTyped = (text: string | null): string => (text ?? "").replace(/[\s-]/g, "").slice(0, longestCode);

/** A code as somebody typed or followed it: groups are for the eye, and so are capitals, unless the settings make codes with small letters. */
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
