import type { Method as MethodRow, Route } from "@doorward/api/methods";
import { accessText } from "./access-text.ts";
import type { ContractMethod } from "./contract.ts";
import { pathParameter, queryParameters, variablesOf } from "./parameters.ts";
import { present, type Schema } from "./schema-of-rules.ts";
import { referBody, referMessage, type SchemaBook } from "./schemas.ts";

/** Dependencies for describing an operation. */
export interface OperationDeps {
  readonly book: SchemaBook;
  readonly commentOf: (name: string) => string;
  readonly isBuilt: (name: string) => boolean;
}

/** A route of a method. `names` are the names of the variables in the document's path, in their order. */
export interface NumberedRoute {
  readonly route: Route;
  readonly names: readonly string[];
  /** 1 for the primary route of a method. */
  readonly number: number;
}

/** Describes a method at one of its routes (OpenAPI 3.1, Operation Object). */
export function restOperation(
  deps: OperationDeps,
  { descriptor, row }: ContractMethod,
  { route, names, number }: NumberedRoute,
): Schema {
  const { input, output } = descriptor;
  const inPath = variablesOf(route.path);
  const path = inPath.flatMap((name, index) => {
    const field = input.fields.find((candidate) => candidate.name === name);
    if (field === undefined) throw new Error(`${row.service}/${row.method}: no field ${name}`);
    return pathParameter(deps.book, field, names[index] ?? name, route.path.includes(`{${name}=**}`));
  });
  const body = route.body === undefined ? undefined : referBody(deps.book, input, new Set(inPath));
  const query = route.body === undefined ? queryParameters(deps.book, input, new Set(inPath)) : [];
  const parameters = [...path, ...query, ...headerParameters(row)];
  return present({
    ...commonParts(deps, row, number),
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: body && { required: body.isRequired, content: json(body.schema) },
    responses: {
      [row.successStatus]: { description: "Success", content: json(referMessage(deps.book, output, "rest")) },
      default: { $ref: "#/components/responses/Error" },
    },
  });
}

/** Describes a method without REST route, as a call of the Connect protocol with JSON. */
export function connectOperation(deps: OperationDeps, { descriptor, row }: ContractMethod): Schema {
  const body = referBody(deps.book, descriptor.input, new Set());
  const parameters = headerParameters(row);
  return present({
    ...commonParts(deps, row, 1),
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: { required: true, content: json(body.schema) },
    responses: {
      200: { description: "Success", content: json(referMessage(deps.book, descriptor.output, "connect")) },
      default: { $ref: "#/components/responses/ConnectError" },
    },
  });
}

function commonParts({ commentOf, isBuilt }: OperationDeps, row: MethodRow, number: number): Schema {
  const { service, method, access, deprecated } = row;
  const comment = commentOf(`${service}.${method}`);
  const built = isBuilt(`${service}/${method}`);
  const state = built ? [] : ["Not built yet: answers `unimplemented` (501) to those who may call it."];
  return {
    operationId: `${service.split(".").at(-1)}_${method}${number === 1 ? "" : `_${number}`}`,
    tags: [service],
    summary: firstSentence(comment) || method,
    description: [comment, accessText(access), ...state].filter((part) => part !== "").join("\n\n"),
    ...(deprecated && { deprecated }),
    ...(access.kind === "open" && { security: [] }),
    "x-access": access.kind,
    ...(access.kind === "permission" && { "x-permission": access.permission }),
    "x-state": built ? "built" : "unimplemented",
  };
}

/** Returns the first sentence of a comment, without its full stop. */
const firstSentence = (comment: string): string =>
  (/^[\s\S]*?[.:](?=\s|$)/.exec(comment)?.[0] ?? comment).replace(/[.:]$/, "");

// v1 methods have an organization context in a header; v2 has it in the message.
const headerParameters = ({ service, access }: MethodRow): Schema[] =>
  access.kind !== "open" && service.includes(".v1.") ? [{ $ref: "#/components/parameters/Organization" }] : [];

const json = (schema: Schema): Schema => ({ "application/json": { schema } });
