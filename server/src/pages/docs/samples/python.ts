import { indented, partsOf, type SampleCall } from "./sample-call.ts";

/** Returns a call as a program in Python, with the library `requests`. */
export function toPython({ verb, url, headers, json, form, isByClient }: SampleCall): string {
  const given = Object.entries(headers);
  const options = [
    JSON.stringify(verb),
    literal(url),
    ...(isByClient ? ['auth=(os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])'] : []),
    ...(given.length === 0
      ? []
      : [`headers={${given.map(([name, value]) => `"${name}": ${literal(value)}`).join(", ")}}`]),
    ...(json === undefined ? [] : [`json=${indented(pythonValue(json, ""), "    ")}`]),
    ...(form === undefined ? [] : [`data={\n        ${members(form)},\n    }`]),
    "timeout=10",
  ];
  const call = `response = requests.request(\n    ${options.join(",\n    ")},\n)`;
  const imports = call.includes("os.environ") ? "import os\n\nimport requests" : "import requests";
  return `${imports}\n\n${call}\nresponse.raise_for_status()\nprint(response.json())`;
}

const members = (form: NonNullable<SampleCall["form"]>): string =>
  form.map(([name, value]) => `"${name}": ${literal(value)}`).join(",\n        ");

function literal(text: string): string {
  const parts = partsOf(text);
  if (parts.every((part) => "text" in part)) return JSON.stringify(text);
  const [first] = parts;
  if (parts.length === 1 && first && "variable" in first) return `os.environ["${first.variable}"]`;
  const inner = parts.map((part) => ("text" in part ? part.text : `{os.environ['${part.variable}']}`));
  return `f"${inner.join("")}"`;
}

/** Writes a value of JSON, whose words for true, false and nothing are others in Python. */
function pythonValue(value: unknown, indent: string): string {
  const inner = `${indent}    `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item) => `${inner}${pythonValue(item, inner)}`).join(",\n")},\n${indent}]`;
  }
  if (typeof value === "object" && value !== null) {
    const lines = Object.entries(value).map(
      ([name, item]) => `${inner}${JSON.stringify(name)}: ${pythonValue(item, inner)}`,
    );
    return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")},\n${indent}}`;
  }
  if (value === true) return "True";
  return value === false ? "False" : (JSON.stringify(value) ?? "None");
}
