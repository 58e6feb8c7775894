import { toIso } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { BrowserVisit } from "./browser-visit.ts";

/** The user of a step, as far as they are known. */
interface VisitingUser {
  readonly userId?: string;
  readonly loginName?: string;
  readonly organizationId?: string;
}

/**
 * Describes the request behind a step for scripts (`ctx.v1.authRequest`, `ctx.v1.httpRequest`). Nothing in it opens
 * anything: no cookie, no form, no state or code of the client.
 */
export function describeVisit(call: Call, visit: BrowserVisit, user: VisitingUser = {}): object {
  const { authRequest, userAgent, host } = visit;
  const { userId = "", loginName = "", organizationId = "" } = user;
  const header = userAgent.header ?? {};
  const userAgentHeader = userAgent.description ?? "";
  const httpRequest = {
    method: "POST",
    host,
    remoteAddr: userAgent.ip ?? "",
    headers: { ...header, ...(userAgentHeader !== "" && { "User-Agent": [userAgentHeader] }) },
  };
  if (authRequest === undefined) return { httpRequest };
  const { parameters } = authRequest;
  return {
    httpRequest,
    authRequest: {
      id: authRequest.authRequestId,
      creationDate: toIso(authRequest.createdAt),
      changeDate: toIso(call.now),
      browserInfo: { userAgent: userAgentHeader, acceptLanguage: "", remoteIp: userAgent.ip ?? "" },
      applicationId: authRequest.clientId,
      callbackUri: parameters.redirectUri,
      uiLocales: parameters.uiLocales,
      loginHint: parameters.loginHint ?? "",
      maxAuthAge: (parameters.maxAge ?? 0) * 1_000_000_000,
      instanceId: call.instanceId,
      request: { oidc: { scopes: parameters.scope.split(" ").filter((scope) => scope !== "") } },
      userId,
      userID: userId,
      userName: loginName,
      loginName,
      resourceOwner: organizationId,
      requestedOrgId: parameters.organizationId ?? visit.organizationId ?? "",
      applicationResourceOwner: visit.applicationOrganizationId ?? "",
    },
  };
}
