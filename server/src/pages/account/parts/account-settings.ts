import { type LoginSettings, loginSettingsOf } from "../../../domain/settings/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Account } from "./account.ts";

/** Returns the login settings of the user's organization. */
export const accountSettings = (deps: PageDeps, { call, user }: Account): Promise<LoginSettings> =>
  loginSettingsOf(deps, call, { organizationId: user.organizationId });
