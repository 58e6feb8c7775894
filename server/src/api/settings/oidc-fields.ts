import type { MessageInitShape } from "@bufbuild/protobuf";
import type { OIDCSettingsSchema } from "@doorward/api/service/settings/v1/settings_pb";
import type { OidcSettings } from "../../domain/settings/index.ts";
import { type FieldsOf, fieldsIn, unnamed } from "./fields.ts";
import { seconds } from "./kinds.ts";

const { onlyV1 } = fieldsIn<never, MessageInitShape<typeof OIDCSettingsSchema>>();

/** Lifetimes of tokens, in the contract. Version 2 does not have them, and version 1 none of codes and requests. */
export const oidcFields = {
  accessTokenLifetimeSeconds: onlyV1("accessTokenLifetime", seconds),
  idTokenLifetimeSeconds: onlyV1("idTokenLifetime", seconds),
  refreshTokenIdleLifetimeSeconds: onlyV1("refreshTokenIdleExpiration", seconds),
  refreshTokenLifetimeSeconds: onlyV1("refreshTokenExpiration", seconds),
  authorizationCodeLifetimeSeconds: unnamed,
  authRequestLifetimeSeconds: unnamed,
  deviceCodeLifetimeSeconds: unnamed,
} satisfies FieldsOf<OidcSettings>;
