import { getOption } from "@bufbuild/protobuf";
import { http } from "@doorward/api/google/api/annotations_pb";
import { type ApiCall, organizationHeader } from "../call.ts";
import { type Json, requestJson } from "./plain.ts";

/** Returns a call as a command of curl: by REST where the contract has a path, otherwise by Connect. */
export function toCurl(call: ApiCall, origin: string): string {
  const { method, organizationId } = call;
  const body = requestJson(call);
  const route = routeOf(call, body);
  const lines = [
    `curl -sS${route.verb === "GET" || route.verb === "POST" ? "" : ` -X ${route.verb}`} ${quote(origin + route.path)}`,
    `-H "Authorization: Bearer $DOORWARD_TOKEN"`,
  ];
  const isFirstVersion = method.parent.typeName.includes(".v1.");
  if (isFirstVersion && organizationId !== undefined)
    lines.push(`-H ${quote(`${organizationHeader}: ${organizationId}`)}`);
  if (route.body !== undefined) lines.push(`--json ${quote(JSON.stringify(route.body, null, 2))}`);
  return lines.join(" \\\n  ");
}

interface Route {
  readonly verb: string;
  readonly path: string;
  readonly body?: Json;
}

function routeOf({ method }: ApiCall, json: Json): Route {
  const { pattern, body } = getOption(method, http);
  const byConnect = { verb: "POST", path: `/${method.parent.typeName}/${method.name}`, body: json };
  if (pattern.case === undefined || pattern.case === "custom") return byConnect;
  const rest = structuredClone(json);
  let isWhole = true;
  const path = pattern.value.replaceAll(/\{([\w.]+)(?:=[^}]*)?\}/g, (_, name: string) => {
    const value = take(rest, name.split(".").map(toCamelCase));
    if (value === undefined) isWhole = false;
    return encodeURIComponent(String(value ?? ""));
  });
  // A part of the path that the request does not have cannot be written.
  if (!isWhole || (body !== "" && body !== "*")) return byConnect;
  const verb = pattern.case.toUpperCase();
  if (body === "*") return { verb, path, body: rest };
  const query = new URLSearchParams(parametersOf(rest)).toString();
  return { verb, path: query === "" ? path : `${path}?${query}` };
}

/** Takes a member out of a record, and returns it. */
function take(record: Json, [name = "", ...names]: readonly string[]): unknown {
  const value = record[name];
  if (names.length > 0) return typeof value === "object" ? take(value as Json, names) : undefined;
  delete record[name];
  return value;
}

function parametersOf(record: Json, before = ""): [string, string][] {
  return Object.entries(record).flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value)) return value.map((item) => [before + name, String(item)]);
    if (typeof value === "object" && value !== null) return parametersOf(value as Json, `${before}${name}.`);
    return [[before + name, String(value)]];
  });
}

const toCamelCase = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Quotes a text for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
