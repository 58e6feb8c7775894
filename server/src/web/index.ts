export { appendQuery } from "./append-query.ts";
export { type ByteShare, createAnswerShare, createBodyShare, createShare } from "./body-share.ts";
export {
  type Browser,
  browserCookie,
  isBrowserNew,
  newBrowser,
  readBrowser,
  readRequestBrowser,
  requestCookie,
} from "./browser.ts";
export { cookieName, parseCookies, serializeCookie } from "./cookie.ts";
export { corsHeaders, preflight } from "./cors.ts";
export { endpointPaths } from "./endpoint-paths.ts";
export type { ReachedInstance, WebHandler, WebRequest, WebResponse, WebRoute } from "./exchange.ts";
export type { FormPost } from "./form-post.ts";
export { isFromThisMachine } from "./from-this-machine.ts";
export { createHoldRefusals, type HoldRefusal } from "./hold-refusals.ts";
export { isClosed } from "./is-closed.ts";
export { lateHandler } from "./late-handler.ts";
export { fileIn, isMultipart, readMultipart } from "./multipart.ts";
export { createRateLimits, type RateLimitName, type RateLimits } from "./rate-limits.ts";
export { asksToComeAgain, retryAfterSeconds } from "./retry-after.ts";
export { assetHeaders, pageHeaders, previewHeaders, type Relay, type Surface } from "./security-headers.ts";
