import type { LoginVersion } from "../../../domain/oidc-configuration/index.ts";
import { defined } from "../../contract/index.ts";

/** `LoginVersion` of either generation. */
export interface WireLoginVersion {
  readonly version:
    | { readonly case: "loginV1"; readonly value: object }
    | { readonly case: "loginV2"; readonly value: { readonly baseUri?: string | undefined } }
    | { readonly case: undefined; readonly value?: undefined };
}

/** Returns the login that a request chooses. */
export function toLoginVersion({ version }: WireLoginVersion): LoginVersion {
  switch (version.case) {
    case "loginV1":
      return { kind: "v1" };
    case "loginV2":
      return { kind: "v2", ...defined({ baseUri: version.value.baseUri }) };
    case undefined:
      return { kind: "unspecified" };
    default:
      return version satisfies never;
  }
}

/** Returns the login of an application, as a field of its message. */
export function toWireLoginVersion(version: LoginVersion) {
  switch (version.kind) {
    case "unspecified":
      return {};
    case "v1":
      return { loginVersion: { version: { case: "loginV1" as const, value: {} } } };
    case "v2":
      return { loginVersion: { version: { case: "loginV2" as const, value: defined({ baseUri: version.baseUri }) } } };
    default:
      return version satisfies never;
  }
}
