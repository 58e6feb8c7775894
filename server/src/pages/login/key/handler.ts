import { Fault } from "../../../base/fault.ts";
import { loginSettingsOf } from "../../../domain/settings/index.ts";
import { challengeKeys, isPossible, proveSecondFactor, unnamed, usePasskey } from "../../../domain/sign-in/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageAt, PageHandler } from "../../visit/handlers.ts";
import { readCredential } from "../../visit/read-credential.ts";
import { errorsOf, type Flow, findFlow, inFlow, isFlow, pageOf } from "../flow/flow.ts";
import { redirectForOutcome } from "../flow/redirect-for-outcome.ts";
import type { KeyCeremony } from "../parts/key-form.ts";
import { keyPage } from "./view.ts";

const path = "/ui/login/key";
const challengePath = `${path}/challenge`;

/** Returns where a page of the login asks for a passkey or security key. */
export const ceremonyOf = (flow: Flow, parameters: Readonly<Record<string, string>> = {}): KeyCeremony => ({
  action: inFlow(flow, path, parameters),
  challengeAction: inFlow(flow, challengePath),
});

/**
 * The same, where the settings allow passkeys: those of the login's organization, never those of a user who was only
 * named.
 */
export async function offeredPasskey(
  deps: PageDeps,
  flow: Flow,
  parameters: Readonly<Record<string, string>> = {},
): Promise<KeyCeremony | undefined> {
  const { authRequest } = flow.steps;
  const settings = await loginSettingsOf(deps, flow.visit.call, {
    organizationId: authRequest?.parameters.organizationId,
  });
  return settings.allowPasskeys && settings.allowLocalAuthentication ? ceremonyOf(flow, parameters) : undefined;
}

/** `/ui/login/key`: sign-in with a passkey alone. */
const showKey: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { signIn, client } = flow;
  if (!isPossible("use_passkey", signIn.state)) return seeOther(pageOf(flow, signIn.state));
  const credentialId = signIn.problem?.unknownPasskey;
  const unknown = credentialId === undefined ? undefined : { rpId: flow.steps.host, credentialId };
  return show(deps, flow.visit, (context) =>
    keyPage(context, {
      client,
      ceremony: ceremonyOf(flow),
      otherHref: pageOf(flow, signIn.state),
      unknown,
      errors: errorsOf(deps, context, flow, []),
    }),
  );
};

/** Returns the request options as JSON for the script of the page. */
const takeChallenge: FormHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { signIn, steps } = flow;
  if (!isPossible("use_passkey", signIn.state) && !isPossible("prove_second_factor", signIn.state))
    return json(409, {});
  try {
    return json(200, await challengeKeys(deps, visit.call, steps, signIn));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return json(409, {});
  }
};

const json = (status: number, body: unknown): WebResponse => ({
  status,
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff" },
});

const takeKey: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { signIn, steps } = flow;
  const credential = readCredential(form.get("credential"));
  if (isPossible("prove_second_factor", signIn.state)) {
    const by = { by: "key" };
    if (credential === undefined) return seeOther(inFlow(flow, "/ui/login/second-factor", by));
    const proof = { kind: "key", credential } as const;
    return redirectForOutcome(deps, flow, await proveSecondFactor(deps, visit.call, steps, { signIn, proof }), by);
  }
  if (!isPossible("use_passkey", signIn.state)) return seeOther(pageOf(flow, signIn.state));
  // Without the script there is no credential: the page explains its requirements.
  if (credential === undefined) return seeOther(inFlow(flow, path));
  // From the page that asks for the name any user's passkey is accepted, even after another name was tried.
  const { attemptId, userId: namedUserId } = signIn;
  const from = visit.query.has("any") ? { ...unnamed, attemptId } : signIn;
  const outcome = await usePasskey(deps, visit.call, steps, { signIn: from, credential, namedUserId });
  if (outcome.outcome !== "next" || outcome.browser !== undefined) return redirectForOutcome(deps, flow, outcome);
  return seeOther(inFlow(flow, path));
};

export const keyPages: readonly PageAt[] = [
  { path, get: showKey, post: takeKey },
  { path: challengePath, post: takeChallenge, pageOfForm: path },
];
