import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Condition, ConditionSchema } from "@doorward/api/service/action/v2/execution_pb";
import { t } from "../../../text/catalogue.ts";

/** A condition as a form has it: when, about how much, and the name of what is chosen. */
export interface ConditionValues {
  readonly when: string;
  readonly scope: string;
  readonly name: string;
}

/** Returns when targets are called, in words. */
export function conditionText(condition: Condition | undefined): string {
  const kind = condition?.conditionType;
  switch (kind?.case) {
    case "request":
      return t("automation.condition.request", {
        what: scopeText(kind.value.condition, t("automation.scope.anyMethod")),
      });
    case "response":
      return t("automation.condition.response", {
        what: scopeText(kind.value.condition, t("automation.scope.anyMethod")),
      });
    case "function":
      return t("automation.condition.function", { what: functionText(kind.value.name) });
    case "event":
      return t("automation.condition.event", { what: scopeText(kind.value.condition, t("automation.scope.anyEvent")) });
    default:
      return "";
  }
}

type Scope = { readonly case: string; readonly value: string | boolean } | { readonly case: undefined };

/** Returns what a condition is about, in words; `every` where it is about everything of its kind. */
function scopeText(scope: Scope, every: string): string {
  switch (scope.case) {
    case "method":
      return methodName(String(scope.value));
    case "service":
      return t("automation.scope.serviceNamed", { name: serviceName(String(scope.value)) });
    case "group":
      return t("automation.scope.groupNamed", { name: String(scope.value) });
    case "event":
      return String(scope.value);
    default:
      return every;
  }
}

/** Returns the last two parts of a method, which tell it from others: `UserService/CreateUser`. */
export const methodName = (method: string): string => method.replace(/^\//, "").split(".").at(-1) ?? method;

export const serviceName = (service: string): string => service.split(".").at(-1) ?? service;

/** Returns what a function does, in words; its name where there are none. */
export function functionText(name: string): string {
  const known = name.toLowerCase();
  if (known === "preuserinfo") return t("automation.function.userinfo");
  if (known === "preaccesstoken") return t("automation.function.accessToken");
  return known === "presamlresponse" ? t("automation.function.saml") : name;
}

/** Returns what was delivered, in words: the type of the event, or the condition that was met. */
export function subjectText(subject: string): string {
  const [, kind, what = ""] = /^(request|response|function)\/(.+)$/.exec(subject) ?? [];
  if (kind === "function") return t("automation.condition.function", { what: functionText(what) });
  if (kind === "request") return t("automation.condition.request", { what: methodName(what) });
  return kind === "response" ? t("automation.condition.response", { what: methodName(what) }) : subject;
}

/** Returns the condition that a form describes. */
export function toCondition({ when, scope, name }: ConditionValues): MessageInitShape<typeof ConditionSchema> {
  if (when === "function") return { conditionType: { case: "function", value: { name } } };
  if (when === "event") {
    const condition =
      scope === "all" ? all : scope === "group" ? ({ case: "group", value: name } as const) : eventOf(name);
    return { conditionType: { case: "event", value: { condition } } };
  }
  const condition =
    scope === "all" ? all : scope === "service" ? ({ case: "service", value: name } as const) : methodOf(name);
  return when === "response"
    ? { conditionType: { case: "response", value: { condition } } }
    : { conditionType: { case: "request", value: { condition } } };
}

const all = { case: "all", value: true } as const;
const eventOf = (value: string) => ({ case: "event", value }) as const;
const methodOf = (value: string) => ({ case: "method", value }) as const;
