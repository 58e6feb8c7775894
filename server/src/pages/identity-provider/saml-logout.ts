import type { BrowserBinding } from "../../base/saml/index.ts";
import { SamlRefused } from "../../base/saml/index.ts";
import type { IdentityProvider, SamlConfiguration } from "../../domain/identity-provider/index.ts";
import {
  type LogoutMessage,
  ProviderRefused,
  readLogoutRequest,
  writeLogoutResponse,
} from "../../domain/identity-provider-client/index.ts";
import { endByProvider, returnFromProvider } from "../../domain/identity-provider-logout/index.ts";
import type { WebRequest, WebResponse } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { createFormPostPage } from "../relay/form-post.ts";
import { seeOther } from "../visit/answer.ts";
import { showError } from "../visit/show-error.ts";
import { openVisit } from "../visit/visit.ts";
import { invalidAnswer } from "./receive.ts";
import { findSamlProvider, relayStateIn } from "./saml-provider.ts";

/**
 * `/idps/<id>/saml/slo`: a provider ended its session (`SAMLRequest`), or a browser comes back from the logout there
 * that we asked for (`SAMLResponse`).
 */
export async function takeLogoutMessage(deps: PageDeps, request: WebRequest): Promise<WebResponse> {
  const visit = await openVisit(deps, request);
  const isPost = request.method === "POST";
  const given = new URLSearchParams(isPost ? request.body : request.query);
  const provider = await findSamlProvider(deps, request);
  const [field, ...others] = given.getAll("SAMLRequest");
  // One that was deactivated still ends what was begun with it: its sessions go on.
  if (provider === undefined || (provider.state !== "active" && field === undefined)) {
    return showError(deps, visit, { error: "not_found" });
  }
  if (field === undefined || others.length > 0) {
    const state = relayStateIn(given);
    if (!given.has("SAMLResponse") || state === undefined) return invalidAnswer(deps, visit);
    const { identityProviderId } = provider;
    const target = await returnFromProvider(deps, visit.call, { state, identityProviderId });
    return seeOther(target ?? "/ui/logout/done");
  }
  const message: LogoutMessage = isPost ? { field } : { query: request.query };
  try {
    const binding = isPost ? "post" : "redirect";
    const browserHash = visit.isKnown ? visit.browser.hash : undefined;
    const relayState = given.get("RelayState");
    return await answerLogout(deps, request, { provider, message, binding, relayState, browserHash });
  } catch (error) {
    if (error instanceof SamlRefused || error instanceof ProviderRefused) return invalidAnswer(deps, visit);
    throw error;
  }
}

interface Logout {
  readonly provider: IdentityProvider<SamlConfiguration>;
  readonly message: LogoutMessage;
  readonly binding: BrowserBinding;
  readonly relayState: string | null;
  readonly browserHash: string | undefined;
}

// Longer ones are not sent back: SAML Bindings §3.4.3 allows 80 bytes.
const longestRelayState = 1024;

async function answerLogout(
  deps: PageDeps,
  request: WebRequest,
  { provider, message, binding, relayState, browserHash }: Logout,
): Promise<WebResponse> {
  const { call, instance } = request;
  const common = { origin: instance.origin, instanceId: call.instanceId, now: call.now };
  const logout = await readLogoutRequest(deps, provider, { ...common, message });
  await endByProvider(deps, call, { provider, logout, browserHash });
  const { requestId } = logout;
  const returned = relayState !== null && relayState.length <= longestRelayState ? relayState : undefined;
  const answer = await writeLogoutResponse(deps, provider, { ...common, requestId, binding, relayState: returned });
  if (answer === undefined) return seeOther("/ui/logout/done");
  if (answer.form === undefined) return seeOther(answer.url);
  return createFormPostPage(deps)(request, {
    target: answer.url,
    parameters: answer.form,
    uiLocales: [call.language],
    isToProvider: true,
  });
}
