import type { MessageInitShape } from "@bufbuild/protobuf";
import type { OIDCSettingsSchema as Settings1 } from "@doorward/api/service/settings/v1/settings_pb";
import type { OIDCSettingsSchema as Settings2 } from "@doorward/api/service/settings/v2/document_update_pb";
import type { OidcSettings } from "../../domain/settings/index.ts";
import { type FieldsOf, fieldsIn, unnamed } from "./fields.ts";
import { seconds } from "./kinds.ts";

const { both } = fieldsIn<MessageInitShape<typeof Settings2>, MessageInitShape<typeof Settings1>>();

/** Lifetimes of tokens, in the contract. Those of codes and requests it does not have. */
export const oidcFields = {
  accessTokenLifetimeSeconds: both("accessTokenLifetime", "accessTokenLifetime", seconds),
  idTokenLifetimeSeconds: both("idTokenLifetime", "idTokenLifetime", seconds),
  refreshTokenIdleLifetimeSeconds: both("refreshTokenIdleExpiration", "refreshTokenIdleExpiration", seconds),
  refreshTokenLifetimeSeconds: both("refreshTokenExpiration", "refreshTokenExpiration", seconds),
  authorizationCodeLifetimeSeconds: unnamed,
  authRequestLifetimeSeconds: unnamed,
  deviceCodeLifetimeSeconds: unnamed,
} satisfies FieldsOf<OidcSettings>;
