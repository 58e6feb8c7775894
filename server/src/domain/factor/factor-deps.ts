import type { Vault } from "../../base/vault.ts";
import type { AuthorizeDeps, CodeDeps } from "../user/index.ts";
import type { CheckFactorDeps } from "./guess-factor.ts";

/** What changing factors needs. */
export interface FactorDeps extends AuthorizeDeps, CodeDeps, CheckFactorDeps {
  readonly vault: Pick<Vault, "encrypt" | "decrypt">;
}
