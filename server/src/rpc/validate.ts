import { type DescField, type DescMessage, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { rules as rulesOption } from "@doorward/api/service/option/v1/rules_pb";
import { Fault } from "../base/fault.ts";
import { fieldValue, type Properties } from "./field-value.ts";
import { checkOf } from "./rules.ts";

/**
 * Messages whose entries are judged one by one, by the methods that perform them, so that a wrong one refuses no other.
 * Only the lengths of their lists are checked.
 */
const judgedLater: ReadonlySet<string> = new Set(["service.admin.v1.DataOrg", "service.v1.v1.DataOrg"]);

/** Checks the message at a path, and throws at the first invalid field. */
type Validator = (message: Message | Properties, path: string) => void;

/** How many entries a list may have where the contract has no other number: statements have a parameter for each. */
export const mostEntries = 8_192;

const validators = new Map<DescMessage, Validator>();
const nothing: Validator = () => undefined;

/**
 * Checks a request, with all nested messages, against the rules of its contract. Throws `invalid_argument` that names
 * the field by its path in JSON (`human.email.email`, `queries[2].loginName`).
 */
export function validate(descriptor: DescMessage, request: Message): void {
  validatorOf(descriptor)(request, "");
}

function validatorOf(descriptor: DescMessage): Validator {
  const existing = validators.get(descriptor);
  if (existing !== undefined) return existing;
  const steps: Validator[] = [];
  // Registered before its fields are visited, because messages may contain themselves.
  validators.set(descriptor, (message, path) => {
    for (const step of steps) step(message, path);
  });
  const isJudgedLater = judgedLater.has(descriptor.typeName);
  for (const field of descriptor.fields) steps.push(...(isJudgedLater ? countOf(field) : stepsOf(field)));
  if (steps.length === 0) validators.set(descriptor, nothing);
  return validators.get(descriptor) ?? nothing;
}

function stepsOf(field: DescField): Validator[] {
  const steps = countOf(field);
  if (hasOption(field, rulesOption)) {
    const check = checkOf(field, getOption(field, rulesOption));
    steps.push((message, path) => {
      const problem = check(fieldValue(message, field));
      if (problem === undefined) return;
      const name = path + field.jsonName;
      throw new Fault("invalid_argument", problem.slug, { field: name, values: { ...problem.values, field: name } });
    });
  }
  const visit = visitorOf(field);
  if (visit !== undefined) steps.push(visit);
  return steps;
}

const countOf = (field: DescField): Validator[] =>
  isBounded(field) ? [] : [(message, path) => refuseTooMany(field, message, path)];

function isBounded(field: DescField): boolean {
  if (field.fieldKind !== "list" && field.fieldKind !== "map") return true;
  const { kind } = getOption(field, rulesOption);
  return kind.case === "repeated" && kind.value.maxItems !== undefined;
}

function refuseTooMany(field: DescField, message: Message | Properties, path: string): void {
  const value = fieldValue(message, field);
  if (value === undefined) return;
  const count = Array.isArray(value) ? value.length : Object.keys(value as Properties).length;
  if (count <= mostEntries) return;
  const name = path + field.jsonName;
  throw new Fault("invalid_argument", "field.too_many", { field: name, values: { field: name, maximum: mostEntries } });
}

function visitorOf(field: DescField): Validator | undefined {
  if (!("message" in field) || field.message === undefined) return undefined;
  if (field.message.typeName.startsWith("google.protobuf.")) return undefined;
  const validateNested = validatorOf(field.message);
  if (validateNested === nothing) return undefined;
  return (message, path) => {
    const value = fieldValue(message, field);
    if (value === undefined) return;
    const name = path + field.jsonName;
    if (field.fieldKind === "message") validateNested(value as Properties, `${name}.`);
    else {
      for (const [key, item] of Object.entries(value as Record<string, Properties>))
        validateNested(item, `${name}[${key}].`);
    }
  };
}
