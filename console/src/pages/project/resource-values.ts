import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type Resource,
  type ResourceScope,
  type ResourceScopeSchema,
  ResourceTokenFormat,
} from "@doorward/api/service/resource/v2/resource_pb";
import { t } from "../../text/catalogue.ts";

/** A resource as its form has it. */
export interface ResourceValues {
  name: string;
  uri: string;
  tokenFormat: string;
  minutes: string;
  scopes: { name: string; descriptions: string }[];
  applicationIds: readonly string[];
}

/** The form of its access tokens, in words. */
export const formatChoices = (): readonly (readonly [value: string, label: string])[] => [
  [String(ResourceTokenFormat.OPAQUE), t("project.resource.opaque")],
  [String(ResourceTokenFormat.JWT), t("project.resource.jwt")],
];

/** Returns the values of a form from a resource, or those of a new one. */
export const resourceValues = (resource: Resource | undefined): ResourceValues => ({
  name: resource?.name ?? "",
  uri: resource?.uri ?? "",
  tokenFormat: String(resource?.tokenFormat || ResourceTokenFormat.OPAQUE),
  minutes: minutesOf(resource),
  scopes: (resource?.scopes ?? []).map((scope) => ({ name: scope.name, descriptions: linesOf(scope) })),
  applicationIds: resource?.applicationIds ?? [],
});

function minutesOf(resource: Resource | undefined): string {
  const lifetime = resource?.accessTokenLifetime;
  return lifetime === undefined ? "" : String(Number(lifetime.seconds) / 60);
}

const linesOf = ({ descriptions }: ResourceScope): string =>
  Object.entries(descriptions)
    .map(([language, text]) => `${language}: ${text}`)
    .join("\n");

const line = /^\s*([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)\s*:\s*(\S.*)$/;

/** Returns what is wrong with descriptions, one on each line after its language. */
export const checkDescriptions = (text: string): string | undefined =>
  text.split("\n").every((each) => each.trim() === "" || line.test(each))
    ? undefined
    : t("project.resource.descriptions.invalid");

/** Returns the scopes as requests have them. */
export const toScopes = (scopes: ResourceValues["scopes"]): MessageInitShape<typeof ResourceScopeSchema>[] =>
  scopes.map(({ name, descriptions }) => ({
    name: name.trim(),
    descriptions: Object.fromEntries(
      descriptions.split("\n").flatMap((each) => {
        const [, language = "", text = ""] = line.exec(each) ?? [];
        return language === "" ? [] : [[language, text.trim()]];
      }),
    ),
  }));

/** Returns the lifetime as requests have it; undefined and zero are that of the instance. */
export const toLifetime = ({ minutes }: ResourceValues) =>
  ({ seconds: BigInt(Math.round(Number(minutes) * 60)), nanos: 0 }) as const;
