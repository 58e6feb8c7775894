import { type DescField, type DescMessage, fromJson, type JsonValue, type Message, toJson } from "@bufbuild/protobuf";
import { isRecord } from "../../base/json.ts";
import { wrongType } from "../decode-error.ts";
import type { Json, MessageForm } from "./form.ts";

type Forms = Readonly<Record<string, MessageForm>>;

/** Converts a request to the message of version 2, which is then judged like any other. */
export function convertRequest(forms: Forms, from: DescMessage, to: DescMessage, request: Message): Message {
  const json = requestJson(forms, from, toJson(from, request, { enumAsInteger: true }) as Json);
  try {
    return fromJson(to, json as JsonValue);
  } catch (error) {
    throw wrongType(error instanceof Error ? error.message : "", error);
  }
}

/** Converts a response of version 2; `request` is the one that it answers, of version 2. */
export function convertResponse(
  forms: Forms,
  { from, to, requested }: { readonly from: DescMessage; readonly to: DescMessage; readonly requested: DescMessage },
  response: Message,
  request: Message,
): Message {
  const asked = toJson(requested, request, { enumAsInteger: true }) as Json;
  const json = responseJson(forms, to, toJson(from, response, { enumAsInteger: true }) as Json, asked);
  return fromJson(to, json as JsonValue);
}

const formOf = (forms: Forms, { typeName }: DescMessage): MessageForm =>
  forms[typeName.slice(typeName.indexOf(".") + 1)] ?? {};

function requestJson(forms: Forms, message: DescMessage, json: Json): Json {
  const { fields = {}, toCurrent } = formOf(forms, message);
  const converted: Record<string, unknown> = {};
  for (const field of message.fields) {
    const value = json[field.jsonName];
    const name = fields[field.jsonName] ?? field.jsonName;
    if (value === undefined || name === "") continue;
    converted[name] = convertValue(field, value, (inner, item) => requestJson(forms, inner, item));
  }
  return toCurrent === undefined ? converted : toCurrent(converted);
}

function responseJson(forms: Forms, message: DescMessage, json: Json, request: Json): Json {
  const { fields = {}, fromCurrent } = formOf(forms, message);
  const current = fromCurrent === undefined ? json : fromCurrent(json, request);
  const converted: Record<string, unknown> = {};
  for (const field of message.fields) {
    const value = current[fields[field.jsonName] ?? field.jsonName];
    if (value === undefined) continue;
    converted[field.jsonName] = convertValue(field, value, (inner, item) => responseJson(forms, inner, item, request));
  }
  return converted;
}

/** Converts the messages in a value of a field; well-known types have a JSON of their own, which stays. */
function convertValue(field: DescField, value: unknown, convert: (inner: DescMessage, item: Json) => Json): unknown {
  const { message } = field;
  if (message === undefined || message.typeName.startsWith("google.protobuf.")) return value;
  if (field.fieldKind === "list" && Array.isArray(value)) return value.map((item: Json) => convert(message, item));
  if (!isRecord(value)) return value;
  if (field.fieldKind !== "map") return convert(message, value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, convert(message, item as Json)]));
}
