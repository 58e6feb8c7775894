import type { Tx } from "../../database/index.ts";
import { moveAuthRequests } from "../auth-request/index.ts";
import { moveDeviceAuthorizations } from "../device-authorization/index.ts";
import { moveIntents } from "../identity-provider-intent/index.ts";
import { moveBrowserSessions } from "../session/index.ts";
import { moveSignIns } from "./sign-in.store.ts";

/**
 * Step: gives a browser another secret and moves everything that depends on it. An attacker who planted the old secret
 * before the sign-in gains nothing by it (session fixation, ASVS 7.2.4).
 */
export async function rotateBrowser(tx: Tx, browser: { readonly from: string; readonly to: string }): Promise<void> {
  await moveBrowserSessions(tx, browser);
  await moveAuthRequests(tx, browser);
  await moveDeviceAuthorizations(tx, browser);
  await moveSignIns(tx, browser);
  await moveIntents(tx, browser);
}
