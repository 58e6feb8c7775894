import type { Vault } from "../../base/vault.ts";
import type { CodeDeps } from "../contact/index.ts";
import type { AuthorizeDeps } from "../user/index.ts";
import type { CheckFactorDeps } from "./guess-factor.ts";

/** Dependencies of operations that change factors. */
export interface FactorDeps extends AuthorizeDeps, CodeDeps, CheckFactorDeps {
  readonly vault: Pick<Vault, "encrypt" | "decrypt">;
}
