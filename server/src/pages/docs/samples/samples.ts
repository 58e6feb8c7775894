import type { CodeSample } from "../../../html/index.ts";
import { toCurl } from "./curl.ts";
import { toGo } from "./go.ts";
import { toPython } from "./python.ts";
import type { SampleCall } from "./sample-call.ts";
import { toTypeScript } from "./typescript.ts";

/** Returns a call as code in every language of the reference. */
export const samplesOf = (call: SampleCall): CodeSample[] => [
  { label: "curl", code: toCurl(call) },
  { label: "TypeScript", code: toTypeScript(call) },
  { label: "Go", code: toGo(call) },
  { label: "Python", code: toPython(call) },
];
