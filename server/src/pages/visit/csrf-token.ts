import { createHmac } from "node:crypto";
import { equalInConstantTime } from "../../base/secret.ts";
import type { Browser } from "../../web/index.ts";

/**
 * The proof that a form was made for this browser: only we, and the browser that brings its secret, can make it. It dies with the secret, so a
 * form from before a sign-in is worth nothing after it.
 */
export const csrfTokenOf = (browser: Browser): string =>
  createHmac("sha256", browser.secret.reveal()).update("form").digest("base64url");

export const isCsrfTokenOf = (browser: Browser, token: string): boolean =>
  equalInConstantTime(token, csrfTokenOf(browser));
