import { checkClaims } from "./checks/claims.ts";
import { checkCodeChallenge } from "./checks/code-challenge.ts";
import { settleContext } from "./checks/context.ts";
import { checkDpopThumbprint } from "./checks/dpop-thumbprint.ts";
import { checkHintedUser } from "./checks/hinted-user.ts";
import { refuseLeftObjects } from "./checks/left-objects.ts";
import { checkLengths } from "./checks/lengths.ts";
import { checkMaxAge } from "./checks/max-age.ts";
import { checkNonce } from "./checks/nonce.ts";
import { requireRequestObject } from "./checks/object-required.ts";
import { checkOrganization } from "./checks/organization.ts";
import { settlePlainValues } from "./checks/plain-values.ts";
import { checkPrompt } from "./checks/prompt.ts";
import { requirePush } from "./checks/push-required.ts";
import { refusePushedReference } from "./checks/pushed-reference.ts";
import { checkResources } from "./checks/resources.ts";
import { settleResponseMode } from "./checks/response-mode.ts";
import { checkResponseType } from "./checks/response-type.ts";
import { checkScope } from "./checks/scope.ts";
import { checkNamedTargets } from "./checks/targets.ts";
import { refuseUnread } from "./checks/unread.ts";

/**
 * What is asked of every authorization request, in this order, once its client and redirect URI are known: at the
 * authorization endpoint, and when it is pushed. The first that fails is the answer
 * (`server/test/oauth/authorize/order-of-checks`).
 */
const requestChecks = [
  refuseLeftObjects,
  checkLengths,
  checkResponseType,
  checkResources,
  checkClaims,
  settleResponseMode,
  checkScope,
  checkCodeChallenge,
  checkNonce,
  checkDpopThumbprint,
  settleContext,
  checkPrompt,
  checkMaxAge,
  settlePlainValues,
  checkNamedTargets,
  checkOrganization,
] as const;

/** The same at the authorization endpoint, with what only a browser brings. */
export const authorizationChecks = [
  refuseUnread,
  requirePush,
  requireRequestObject,
  ...requestChecks,
  checkHintedUser,
] as const;

/** The same when a request is pushed: first of the form, before an object in it is read, then of the request. */
export const pushChecks = { form: [refusePushedReference, requireRequestObject], request: requestChecks } as const;
