import type { JsonValue } from "@bufbuild/protobuf";

/** Returns JSON as YAML, which every reader of YAML 1.2 understands in the same way. */
export const toYaml = (value: JsonValue): string => `${write(value, "").trimStart()}\n`;

function write(value: JsonValue, indent: string): string {
  if (typeof value !== "object" || value === null) return ` ${scalar(value)}`;
  if (Array.isArray(value)) {
    if (value.length === 0) return " []";
    return value.map((item) => `\n${indent}-${write(item, `${indent}  `).replace(/^\n\s+/, " ")}`).join("");
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return " {}";
  return entries.map(([key, inner]) => `\n${indent}${scalar(key)}:${write(inner, `${indent}  `)}`).join("");
}

// Words that cannot be anything else stand without quotes; a text in JSON's quotes is valid YAML.
function scalar(value: string | number | boolean | null): string {
  if (typeof value !== "string") return String(value);
  const isWord = /^[A-Za-z][\w.-]*$/.test(value) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(value);
  return isWord ? value : JSON.stringify(value);
}
