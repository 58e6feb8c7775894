import {
  AutoLinkingOption,
  type AzureADConfig,
  type Options,
  type Provider,
  type SAMLConfig,
} from "@doorward/api/service/idp/v1/provider_pb";
import { contractFieldsOf, fieldsOf, oneTenant, type ProviderField } from "./fields.ts";
import { kinds, type ProviderKind } from "./kinds.ts";

/** A provider as its form has it: texts and flags by the names of the contract. */
export interface ProviderValues {
  [name: string]: unknown;
  name: string;
  providerOptions: OptionValues;
}

interface OptionValues {
  isLinkingAllowed: boolean;
  isCreationAllowed: boolean;
  isAutoCreation: boolean;
  isAutoUpdate: boolean;
  autoLinking: string;
}

type Json = Record<string, unknown>;

/** Returns what the form that adds a provider of a kind begins with. */
export function newProvider(kind: ProviderKind): ProviderValues {
  const values = read(kind, undefined);
  for (const { name, initial } of contractFieldsOf(kind)) if (initial !== undefined) put(values, name, initial);
  return {
    ...values,
    name: kinds[kind].button ?? "",
    providerOptions: {
      isLinkingAllowed: true,
      isCreationAllowed: true,
      isAutoCreation: false,
      isAutoUpdate: true,
      autoLinking: String(AutoLinkingOption.UNSPECIFIED),
    },
  };
}

/** Returns the values of a provider. Secrets are never shown. */
export const providerValues = (kind: ProviderKind, { name, config }: Provider): ProviderValues => ({
  ...read(kind, config?.config.value as unknown as Json),
  name,
  providerOptions: toOptionValues(config?.options),
});

function read(kind: ProviderKind, config: Json | undefined): Json {
  const values: Json = {};
  for (const field of contractFieldsOf(kind)) put(values, field.name, toValue(field, config && at(config, field.name)));
  if (kind === "azureAd") Object.assign(values, tenantValues(config as unknown as AzureADConfig | undefined));
  if (kind === "saml") Object.assign(values, metadataValues(config as unknown as SAMLConfig | undefined));
  return values;
}

function tenantValues(config: AzureADConfig | undefined) {
  const type = config?.tenant?.type;
  const isOne = type?.case === "tenantId";
  return { tenantType: isOne ? oneTenant : String(type?.value ?? 0), tenant: isOne ? type.value : "" };
}

const metadataValues = (config: SAMLConfig | undefined) => ({
  metadataSource: config !== undefined && !config.metadataUrl ? "metadataXml" : "metadataUrl",
  metadataUrl: config?.metadataUrl ?? "",
  metadataXml: new TextDecoder().decode(config?.metadataXml),
});

function toOptionValues({ autoLinking, isLinkingAllowed, isCreationAllowed, ...options }: Partial<Options> = {}) {
  return {
    isLinkingAllowed: isLinkingAllowed ?? false,
    isCreationAllowed: isCreationAllowed ?? false,
    isAutoCreation: options.isAutoCreation ?? false,
    isAutoUpdate: options.isAutoUpdate ?? false,
    autoLinking: String(autoLinking ?? AutoLinkingOption.UNSPECIFIED),
  };
}

/** Returns the fields of the request that adds a provider, or that changes the one whose values are given. */
export function toRequest(kind: ProviderKind, values: ProviderValues, former?: ProviderValues): Json {
  const { autoLinking, ...flags } = values.providerOptions;
  const request: Json = {};
  for (const field of contractFieldsOf(kind)) {
    put(request, field.name, toMember(field, isShown(field, values) ? at(values, field.name) : ""));
  }
  return {
    ...request,
    name: values.name.trim(),
    providerOptions: { ...flags, autoLinking: Number(autoLinking) },
    ...(kind === "azureAd" && { tenant: { type: toTenant(values) } }),
    ...(kind === "saml" && { metadata: toMetadata(values, former) }),
  };
}

/** Whether a field is shown besides the values of the others. */
export function isShown({ onlyIf }: ProviderField, values: Json): boolean {
  if (onlyIf === undefined) return true;
  const [name, ...wanted] = onlyIf;
  return wanted.includes(String(values[name]));
}

function toTenant({ tenantType, tenant }: Json) {
  return tenantType === oneTenant
    ? { case: "tenantId", value: String(tenant).trim() }
    : { case: "tenantType", value: Number(tenantType) };
}

/** Metadata that was not changed is not sent, so that an address that does not answer now is no obstacle. */
function toMetadata(values: Json, former: Json | undefined) {
  const source = String(values["metadataSource"]);
  const text = String(values[source]).trim();
  if (former?.["metadataSource"] === source && String(former[source]).trim() === text) return { case: undefined };
  return { case: source, value: source === "metadataUrl" ? text : new TextEncoder().encode(text) };
}

/** Returns the values once they were saved: what was typed as a secret is not kept in the page. */
export function withoutSecrets(kind: ProviderKind, values: ProviderValues): ProviderValues {
  const secrets = fieldsOf[kind].filter(({ kind: entered }) => entered === "secret" || entered === "key");
  return { ...values, ...Object.fromEntries(secrets.map(({ name }) => [name, ""])) };
}

interface Duration {
  readonly seconds: bigint;
  readonly nanos: number;
}

/** Returns a member of the contract as a field has it. */
function toValue({ kind }: ProviderField, member: unknown): unknown {
  switch (kind) {
    case "secret":
    case "key":
      return "";
    case "flag":
      return member === true;
    case "choice":
      return String(member ?? 0);
    case "words":
      return ((member ?? []) as readonly string[]).join(" ");
    case "lines":
      return ((member ?? []) as readonly string[]).join("\n");
    case "file":
      return new TextDecoder().decode(member as Uint8Array<ArrayBuffer> | undefined);
    case "seconds": {
      const duration = member as Duration | undefined;
      return duration === undefined ? "" : String(Number(duration.seconds) + duration.nanos / 1e9);
    }
    default:
      return String(member ?? "");
  }
}

/** Returns the value of a field as the contract has it. */
function toMember({ kind }: ProviderField, value: unknown): unknown {
  const text = String(value);
  switch (kind) {
    case "secret":
      return text;
    case "flag":
      return value === true;
    case "choice":
      return Number(value);
    case "words":
      return text.split(/\s+/).filter((word) => word !== "");
    case "lines":
      return text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
    case "file":
    case "key":
      return new TextEncoder().encode(text.trim());
    case "seconds": {
      const milliseconds = Math.round(Number(text) * 1000);
      if (text.trim() === "") return undefined;
      return { seconds: BigInt(Math.floor(milliseconds / 1000)), nanos: (milliseconds % 1000) * 1_000_000 };
    }
    default:
      return text.trim();
  }
}

const at = (from: Json, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => (value as Json | undefined)?.[name], from);

/** Sets a member at a path of one or two names. */
function put(record: Json, path: string, value: unknown): void {
  const [first = "", second] = path.split(".");
  if (second === undefined) record[first] = value;
  else record[first] = { ...(record[first] as Json | undefined), [second]: value };
}
