import { type CodeName, readCodeFormat } from "../../../domain/settings/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Visit } from "../../visit/visit.ts";

const longestCode = 200;

/** A code as somebody typed or followed it: groups are for the eye, and so are capitals, unless the settings make codes with small letters. */
export async function readTypedCode(
  { database }: Pick<PageDeps, "database">,
  { call }: Visit,
  kind: CodeName,
  text: string | null,
): Promise<string> {
  const code = (text ?? "").replace(/[\s-]/g, "").slice(0, longestCode);
  const { isCaseless } = await readCodeFormat(database.read, call.instanceId, kind);
  return isCaseless ? code.toUpperCase() : code;
}
