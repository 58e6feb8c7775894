import type { Preparation, Work } from "../load/work.ts";
import type { PeerSeed } from "../peer/seed.ts";
import type { ProductSeed } from "../product/seed.ts";

/** A server under load, with what it was filled with. Travels between processes, so it is plain data. */
export type Target =
  | { readonly kind: "product"; readonly host: string; readonly port: number; readonly seed: ProductSeed }
  | { readonly kind: "peer"; readonly host: string; readonly port: number; readonly seed: PeerSeed };

/** Prepares what a run sends; all of it is outside the timed part. */
export interface Scenario {
  readonly prepare: (preparation: Preparation) => Promise<Work>;
}

export const scenarioNames = [
  "client_credentials",
  "client_credentials_jwt",
  "jwt_profile",
  "introspect",
  "introspect_jwt",
  "user_info",
  "code_exchange",
  "code_exchange_es256",
  "code_flow",
  "refresh",
  "refresh_es256",
  "token_exchange",
  "device_authorization",
  "device_poll",
  "device_code",
  "pushed_request",
  "client_credentials_dpop",
  "user_info_dpop",
  "add_session",
  "password_login",
  "password_form",
  "discovery",
  "key_set",
  "rest_list",
  "connect_get",
] as const;

export type ScenarioName = (typeof scenarioNames)[number];
