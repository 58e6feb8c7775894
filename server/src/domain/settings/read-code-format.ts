import type { Reader } from "../../database/index.ts";
import { alphabetOf, type CodeName } from "./code-settings.ts";
import { readSettings } from "./settings-reader.ts";

/** How to make a code, for `generateCode`, and whether capitals are only for the eye when somebody types it. */
export interface CodeFormat {
  readonly length: number;
  readonly alphabet: string;
  readonly lifetimeSeconds: number;
  readonly isCaseless: boolean;
}

/** Step: how codes of a kind are made in the instance at this moment. */
export async function readCodeFormat(reader: Reader, instanceId: string, name: CodeName): Promise<CodeFormat> {
  const form = (await readSettings(reader, "code", { instanceId })).settings[name];
  const { length, lifetimeSeconds, includesLower } = form;
  return { length, lifetimeSeconds, alphabet: alphabetOf(form), isCaseless: !includesLower };
}
