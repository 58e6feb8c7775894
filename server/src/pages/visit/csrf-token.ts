import { createHmac } from "node:crypto";
import { equalInConstantTime } from "../../base/secret.ts";
import type { Browser } from "../../web/index.ts";

/**
 * Returns the token that binds a form to this browser: only the server, and the browser with its secret, can compute
 * it. It expires with the secret, so a form from before a sign-in is invalid after it.
 */
export const csrfTokenOf = (browser: Browser): string =>
  createHmac("sha256", browser.secret.reveal()).update("form").digest("base64url");

export const isCsrfTokenOf = (browser: Browser, token: string): boolean =>
  equalInConstantTime(token, csrfTokenOf(browser));
