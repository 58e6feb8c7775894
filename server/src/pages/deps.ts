import type { ReferenceLibrary, SetupStep } from "../api/index.ts";
import type { Clock } from "../base/clock.ts";
import type { Secret } from "../base/secret.ts";
import type { Vault } from "../base/vault.ts";
import type { Call } from "../call/index.ts";
import type { ClientDirectory } from "../domain/application/index.ts";
import type { FindBrand, FindSharedBrandingFile } from "../domain/branding/index.ts";
import type { ClientLogos } from "../domain/client-logo/index.ts";
import type { IntentDeps } from "../domain/identity-provider-intent/index.ts";
import type { FindInstanceById } from "../domain/instance/index.ts";
import type { FindLoginWords } from "../domain/login-text/index.ts";
import type { BuiltInTexts } from "../domain/message-text/index.ts";
import type { FindSharedAvatar } from "../domain/picture/index.ts";
import type { SetupSession } from "../domain/setup-link/index.ts";
import type { SignUpDeps } from "../domain/sign-up/index.ts";
import type { Texts } from "../text/index.ts";
import type { Assets } from "./assets.ts";
import type { LoadConsole } from "./console/console-files.ts";

/** Dependencies of the pages. */
export interface PageDeps extends SignUpDeps, IntentDeps {
  readonly clock: Clock;
  readonly clients: ClientDirectory;
  readonly clientLogos: ClientLogos;
  readonly findInstanceById: FindInstanceById;
  readonly vault: Pick<Vault, "encrypt" | "decrypt">;
  readonly texts: Texts;
  /** Port of the configured base URL; empty for the default port. */
  readonly basePort: string;
  /** Returns the public origin of an instance. */
  readonly originOf: (instanceId: string) => Promise<string>;
  /** Built-in texts of messages. */
  readonly builtInTexts: BuiltInTexts;
  readonly assets: Assets;
  readonly findBrand: FindBrand;
  readonly findSharedBrandingFile: FindSharedBrandingFile;
  readonly findSharedAvatar: FindSharedAvatar;
  readonly findLoginWords: FindLoginWords;
  /** The documentation of the contract. */
  readonly reference: ReferenceLibrary;
  /** Reads the files of the console; absent where the operator turned it off. */
  readonly loadConsole?: LoadConsole | undefined;
  /** Returns the nonce that the next proof of a client contains (RFC 9449 §8). */
  readonly proofNonce: (call: Call) => string;
  /**
   * Makes a change for the holder of a setup link, and returns why it was refused. Throws `SetupLinkEnded`.
   */
  readonly performSetup: (asked: {
    readonly call: Call;
    readonly secret: Secret | undefined;
    readonly choose: (session: SetupSession) => SetupStep | undefined;
  }) => Promise<{ readonly message: string } | undefined>;
  /** `doorward dev`: pages help the developer to connect an application. */
  readonly isDevelopment: boolean;
  /** Words besides `service` that clients may use in scopes. */
  readonly namespaceAliases: readonly string[];
}
