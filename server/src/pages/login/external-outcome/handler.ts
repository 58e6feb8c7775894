import { toHref } from "../../../html/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, show } from "../../visit/answer.ts";
import { findProvenAccount } from "../external-link/handler.ts";
import { type Flow, inFlow, whereNext } from "../flow/flow.ts";
import type { FoundIntent } from "../provider-attempt/external-attempt.ts";
import { offeredProviders } from "../provider-attempt/offered-providers.ts";
import { shownProviderName } from "../provider-attempt/shown-provider-name.ts";
import { type ExternalEnd, externalOutcomePage } from "./view.ts";

/** Shows how an attempt at a provider ended, and how to continue. */
export async function showOutcome(deps: PageDeps, flow: Flow, found: FoundIntent): Promise<WebResponse> {
  const { intent, provider } = found;
  const { identityProviderId, intentId: reference } = intent;
  // It succeeded, but the provider was deactivated before it was used.
  const failure = intent.failure ?? "identity_intent.provider_unusable";
  const end = intent.state === "consumed" ? "linked" : endOf(failure);
  const isLinked = end === "linked";
  const offered = repeatable.includes(end) ? await offeredProviders(deps, flow) : [];
  const mayRepeat = offered.some((each) => each.identityProviderId === identityProviderId);
  const continueHref = isLinked ? await findNext(deps, flow, found) : undefined;
  const providerName = provider && (await shownProviderName(deps, flow, provider));
  return show(deps, flow.visit, (context) =>
    externalOutcomePage(context, {
      end,
      reference,
      client: flow.client,
      providerName,
      isProviderRemoved: provider === undefined,
      continueHref,
      reason: isLinked ? undefined : deps.texts.translate(context.language, `fault.${failure}`),
      repeat: mayRepeat ? { action: inFlow(flow, "/ui/login/provider"), provider: identityProviderId } : undefined,
      otherHref: inFlow(flow, "/ui/login", { account: "other" }),
    }),
  );
}

async function findNext(deps: PageDeps, flow: Flow, { intent }: FoundIntent) {
  const proven = await findProvenAccount(deps, flow, intent);
  if (proven === undefined) return inFlow(flow, "/ui/login");
  return toHref(await whereNext(deps, flow, proven.session.sessionId)) ?? pathTo("/ui/login/signed-in");
}

const repeatable: readonly ExternalEnd[] = ["failed", "cancelled", "unreachable"];

const ends: Readonly<Record<string, ExternalEnd>> = {
  "identity_intent.denied": "cancelled",
  "identity_intent.unreachable": "unreachable",
  "identity_intent.provider_unreachable": "unreachable",
};

/** Returns the kind of a failure: errors at the provider may be retried, prohibitions here may not. */
function endOf(failure: string): ExternalEnd {
  if (failure === "identity_intent.provider_unusable") return "not_allowed";
  return ends[failure] ?? (failure.startsWith("identity_intent.") ? "failed" : "not_allowed");
}
