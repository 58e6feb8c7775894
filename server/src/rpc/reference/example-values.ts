import { type DescField, getOption, ScalarType } from "@bufbuild/protobuf";
import { secret } from "@doorward/api/service/option/v1/secret_pb";
import { rulesOf } from "./schema-of-rules.ts";

/** Examples of protobuf types with a JSON form of their own, by the name of the field. */
export const wellKnownExamples: Readonly<Record<string, (name: string) => unknown>> = {
  "google.protobuf.Timestamp": (name) => instants.find(([pattern]) => pattern.test(name))?.[1],
  "google.protobuf.Duration": () => "3600s",
  "google.protobuf.FieldMask": () => "minLength",
  "google.protobuf.Struct": () => ({}),
  "google.protobuf.Empty": () => ({}),
};

const instants: readonly (readonly [RegExp, string])[] = [
  [/creat|since|issued/, "2026-03-14T09:26:53Z"],
  [/expir|until|end/, "2027-01-01T00:00:00Z"],
  [/./, "2026-04-02T16:20:00Z"],
];

/** Returns an example of a field as it stands in JSON. 64-bit integers are text in Connect alone. */
export function exampleScalar(field: DescField, direction: "request" | "rest" | "connect"): unknown {
  switch (field.scalar) {
    case ScalarType.BOOL:
      return true;
    case ScalarType.STRING:
      return exampleText(field);
    case ScalarType.BYTES:
      return "ZG9vcndhcmQ=";
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return direction === "connect" ? String(exampleNumber(field)) : exampleNumber(field);
    default:
      return exampleNumber(field);
  }
}

/** Returns an example of a text, by the name of its field and its rules. The same field always has the same one. */
export function exampleText(field: DescField): string {
  const { name, parent } = field;
  if (getOption(field, secret)) return `<${name}>`;
  const rules = rulesOf(field);
  const { prefix = "", email = false, uriRef = false } = rules?.kind.case === "string" ? rules.kind.value : {};
  if (email) return "ada@example.com";
  if (prefix !== "") return `${prefix}example`;
  const known = texts.find(([pattern]) => pattern.test(name))?.[1];
  if (known !== undefined) return known;
  if (/(?:^|_)ids?$/.test(name)) return exampleId(name === "id" ? lastWord(parent.typeName) : name);
  if (/(?:^|_)name$/.test(name)) return names.find(([pattern]) => pattern.test(parent.typeName))?.[1] ?? "Example";
  return uriRef || /uri|url/.test(name) ? "https://app.example.com/" : name.replaceAll("_", "-");
}

const lastWord = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

/** An id looks like those that are made: 18 digits. */
function exampleId(name: string): string {
  let digits = 0;
  for (const letter of name.replace(/s$/, "")) digits = (digits * 31 + (letter.codePointAt(0) ?? 0)) % 100_000_000;
  return `3219850427${String(digits).padStart(8, "0")}`;
}

const texts: readonly (readonly [RegExp, string])[] = [
  [/password$|secret|token$|private_key|^hash$/, "<value>"],
  [/given_name|first_name/, "Ada"],
  [/family_name|last_name/, "Lovelace"],
  [/nick_?name/, "Ada"],
  [/display_name/, "Ada Lovelace"],
  [/login_names?$/, "ada@acme.example.com"],
  [/user_?name$/, "ada"],
  [/email/, "ada@example.com"],
  [/phone/, "+41446681800"],
  [/language|locale/, "en"],
  [/redirect_ur|callback/, "https://app.example.com/callback"],
  [/^issuer$/, "https://id.example.com"],
  [/endpoint|^url$/, "https://api.example.com/hooks/doorward"],
  [/domain|^host$/, "acme.example.com"],
  [/(?:^|_)ip(?:_address)?$/, "203.0.113.7"],
  [/color/, "#12594a"],
  [/code$/, "483920"],
  [/role_keys?$|^roles?$/, "editor"],
  [/permission/, "user.read"],
  [/description|^reason$/, "Created for the example"],
  [/event_types?$/, "user.human.added"],
  [/^method$/, "service.user.v2.UserService/CreateUser"],
  [/^scopes?$/, "openid"],
  [/^key$/, "plan"],
];

const names: readonly (readonly [RegExp, string])[] = [
  [/Organization|Org(?!i)/, "Acme"],
  [/Project/, "Shop"],
  [/Role/, "Editor"],
  [/App|OIDC|API|SAML/, "Portal"],
  [/Provider|IDP/, "Google"],
  [/Target|Action|Hook/, "Audit"],
  [/Group/, "Engineering"],
  [/User|Human|Machine/, "Ada Lovelace"],
];

function exampleNumber(field: DescField): number {
  const rules = rulesOf(field)?.kind;
  const { gt, gte, lt, lte } = rules?.case === "number" ? rules.value : {};
  const usual = /limit|size/.test(field.name) ? 20 : /offset/.test(field.name) ? 0 : 1;
  const least = Number(gte ?? (gt === undefined ? usual : gt + 1n));
  const most = Number(lte ?? (lt === undefined ? usual : lt - 1n));
  return Math.min(Math.max(usual, least), Math.max(most, least));
}
