import { indented, partsOf, type SampleCall } from "./sample-call.ts";

const secretOf = (name: string): string => `\${process.env.${name}}`;
const basic = `authorization: \`Basic \${btoa(\`${secretOf("CLIENT_ID")}:${secretOf("CLIENT_SECRET")}\`)}\``;

/** Returns a call as a program in TypeScript, for every runtime that has `fetch`. */
export function toTypeScript({ verb, url, headers, json, form, isByClient }: SampleCall): string {
  const all = [
    ...(isByClient ? [basic] : []),
    ...Object.entries(headers).map(([name, value]) => `${nameOf(name)}: ${literal(value)}`),
    ...(json === undefined ? [] : ['"content-type": "application/json"']),
  ];
  const options = [
    ...(verb === "GET" ? [] : [`method: ${JSON.stringify(verb)}`]),
    ...(all.length === 0 ? [] : [`headers: {\n    ${all.join(",\n    ")},\n  }`]),
    ...(json === undefined ? [] : [`body: JSON.stringify(${indented(JSON.stringify(json, undefined, 2), "  ")})`]),
    ...(form === undefined ? [] : [`body: new URLSearchParams({\n    ${members(form)},\n  })`]),
  ];
  const second = options.length === 0 ? "" : `, {\n  ${options.join(",\n  ")},\n}`;
  return `const response = await fetch(${literal(url)}${second});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
console.log(await response.json());`;
}

const members = (form: NonNullable<SampleCall["form"]>): string =>
  form.map(([name, value]) => `${nameOf(name)}: ${literal(value)}`).join(",\n    ");

const nameOf = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));

function literal(text: string): string {
  const parts = partsOf(text);
  if (parts.every((part) => "text" in part)) return JSON.stringify(text);
  const [first] = parts;
  if (parts.length === 1 && first && "variable" in first) return `process.env.${first.variable} ?? ""`;
  const inner = parts.map((part) => ("text" in part ? part.text : `\${process.env.${part.variable}}`));
  return `\`${inner.join("")}\``;
}
