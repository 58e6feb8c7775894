import { organizationHeader } from "../../api/call.ts";
import type { MethodDocument } from "./contract.ts";
import type { Body } from "./request-body.ts";

export interface ShownRequest {
  readonly document: MethodDocument;
  readonly body: Body;
  readonly organizationId: string | undefined;
}

/** Returns the request as a command of curl, with placeholders for secrets. */
export function toCurl(origin: string, request: ShownRequest): string {
  const { address, organization, json } = partsOf(request);
  const lines = [
    `curl -sS ${quote(origin + address)}`,
    '-H "Authorization: Bearer $DOORWARD_TOKEN"',
    ...(organization === undefined ? [] : [`-H ${quote(`${organizationHeader}: ${organization}`)}`]),
    `--json ${quote(json)}`,
  ];
  return lines.join(" \\\n  ");
}

/** Returns the request as a program in TypeScript, with placeholders for secrets. */
export function toTypeScript(origin: string, request: ShownRequest): string {
  const { address, organization, json } = partsOf(request);
  const organizationLine =
    organization === undefined ? "" : `\n    "${organizationHeader}": ${JSON.stringify(organization)},`;
  return `const response = await fetch(${JSON.stringify(origin + address)}, {
  method: "POST",
  headers: {
    authorization: \`Bearer \${process.env.DOORWARD_TOKEN}\`,
    "content-type": "application/json",${organizationLine}
  },
  body: JSON.stringify(${json.replaceAll("\n", "\n  ")}),
});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());
`;
}

function partsOf({ document, body, organizationId }: ShownRequest) {
  const { service, method } = document;
  return {
    address: `/${service}/${method.name}`,
    organization: service.includes(".v1.") ? organizationId : undefined,
    json: JSON.stringify(withoutSecrets(document, method.request, body), null, 2),
  };
}

function withoutSecrets(document: MethodDocument, typeName: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(document, typeName, item));
  const fields = document.types[typeName]?.fields;
  if (typeof value !== "object" || value === null || fields === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      // Requests may also have the names of the contract itself: new_password.
      const field = fields.find(
        (one) => one.name === name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      );
      if (field?.isSecret) return [name, `<${name}>`];
      return [name, field?.refersTo === undefined ? inner : withoutSecrets(document, field.refersTo, inner)];
    }),
  );
}

/** Quotes a text for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
