import type { Tx } from "../../database/index.ts";
import { moveAuthRequests } from "../auth-request/index.ts";
import { moveDeviceAuthorizations } from "../device-authorization/index.ts";
import { moveIntents } from "../identity-provider-intent/index.ts";
import { moveBrowserSessions } from "../session/index.ts";
import { moveSignIns } from "./sign-in.store.ts";

/**
 * Step: gives a browser another secret. Whoever knew the old one, because he planted it before somebody signed in, has nothing of it
 * (session fixation, ASVS 7.2.4): whatever hung on it moves in this transaction.
 */
export async function rotateBrowser(tx: Tx, browser: { readonly from: string; readonly to: string }): Promise<void> {
  await moveBrowserSessions(tx, browser);
  await moveAuthRequests(tx, browser);
  await moveDeviceAuthorizations(tx, browser);
  await moveSignIns(tx, browser);
  await moveIntents(tx, browser);
}
