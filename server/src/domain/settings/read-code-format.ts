import type { Reader } from "../../database/index.ts";
import { alphabetOf, type CodeName } from "./documents/code-settings.ts";
import { readSettings } from "./settings-reader.ts";

/** How to generate a code (`generateCode`), and whether it is compared without regard to case. */
export interface CodeFormat {
  readonly length: number;
  readonly alphabet: string;
  readonly lifetimeSeconds: number;
  readonly isCaseless: boolean;
}

/** Step: returns how codes of a kind are generated in the instance now. */
export async function readCodeFormat(reader: Reader, instanceId: string, name: CodeName): Promise<CodeFormat> {
  const form = (await readSettings(reader, "code", { instanceId })).settings[name];
  const { length, lifetimeSeconds, includesLower } = form;
  return { length, lifetimeSeconds, alphabet: alphabetOf(form), isCaseless: !includesLower };
}
