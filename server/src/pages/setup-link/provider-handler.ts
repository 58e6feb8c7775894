import type { SetupStep } from "../../api/index.ts";
import { Fault } from "../../base/fault.ts";
import { generateSecret } from "../../base/secret.ts";
import type { IdentityProvider } from "../../domain/identity-provider/index.ts";
import { createProviderClient, ProviderRefused } from "../../domain/identity-provider-client/index.ts";
import { takeSetupStep } from "../../domain/setup-link/index.ts";
import type { PageDeps } from "../deps.ts";
import { pathTo, seeOther } from "../visit/answer.ts";
import type { FormHandler } from "../visit/handlers.ts";
import type { Visit } from "../visit/visit.ts";
import { change } from "./change.ts";
import { drawTasks, findProviderOf } from "./draw-tasks.ts";
import { perform, tasksPath, withSession } from "./with-session.ts";

/** Adds an OpenID provider, or changes the one of the link. */
export const takeOidc: FormHandler = (deps, visit, form) => {
  const fields = {
    name: textIn(form, "provider_name"),
    issuer: textIn(form, "issuer"),
    clientId: textIn(form, "client_id"),
    clientSecret: textIn(form, "client_secret"),
  };
  const entered = { provider_name: fields.name, issuer: fields.issuer, client_id: fields.clientId };
  return save(deps, visit, { kind: "oidc", entered }, (id) =>
    id === undefined ? { kind: "add_oidc", ...fields } : { kind: "change_oidc", id, ...fields },
  );
};

/** Adds a SAML provider by its metadata, or changes the one of the link. */
export const takeSaml: FormHandler = (deps, visit, form, file) => {
  const name = textIn(form, "provider_name");
  const url = textIn(form, "metadata_url");
  const xml = file === undefined || file.length === 0 ? undefined : { xml: file };
  const metadata = xml ?? (url === "" ? undefined : { url });
  const entered = { provider_name: name, metadata_url: url };
  return save(deps, visit, { kind: "saml", entered }, (id) =>
    id === undefined ? { kind: "add_saml", name, metadata } : { kind: "change_saml", id, name, metadata },
  );
};

/** Shows the provider on the sign-in page of the organization. */
export const takeOffer: FormHandler = (deps, visit) => ofProvider(deps, visit, "offer_provider");

/** Removes the provider, so that another one can be added. */
export const takeRemoval: FormHandler = (deps, visit) => ofProvider(deps, visit, "remove_provider");

/** Asks the provider what a sign-in would ask it first. */
export const takeTest: FormHandler = (deps, visit) =>
  withSession(deps, visit, async (session) => {
    const provider = await findProviderOf(deps, visit, session);
    if (provider === undefined) return seeOther(tasksPath);
    try {
      takeSetupStep(deps, visit.call, session.link);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const message = deps.texts.translate(visit.call.language, `fault.${error.id}`, error.values);
      return drawTasks(deps, visit, session, { problem: { part: "provider", message } });
    }
    const test = (await answers(deps, visit, provider)) ? "ok" : "failed";
    return seeOther(pathTo("/ui/setup-link/tasks", { test }));
  });

const textIn = (form: URLSearchParams, name: string): string => (form.get(name) ?? "").trim();

/** The forms of the two kinds look alike on the page, so a provider keeps its kind. */
const save = (
  deps: PageDeps,
  visit: Visit,
  { kind, entered }: { readonly kind: "oidc" | "saml"; readonly entered: Readonly<Record<string, string>> },
  toStep: (id: string | undefined) => SetupStep,
) =>
  withSession(deps, visit, async (session) => {
    const provider = await findProviderOf(deps, visit, session);
    if (provider !== undefined && provider.configuration.kind !== kind) return seeOther(tasksPath);
    const step = toStep(provider?.identityProviderId);
    // What the link has at that moment decides, not what the page showed.
    const refusal = await perform(deps, visit, ({ link }) =>
      "id" in step && link.identityProviderId !== step.id ? undefined : step,
    );
    if (refusal === undefined) return seeOther(tasksPath);
    const problem = { part: "provider", kind, entered, message: refusal.message } as const;
    return drawTasks(deps, visit, session, { problem });
  });

const ofProvider = (deps: PageDeps, visit: Visit, kind: "offer_provider" | "remove_provider") =>
  change(deps, visit, ({ link: { identityProviderId: id } }) => (id === undefined ? undefined : { kind, id }), {
    part: "provider",
  });

async function answers(deps: PageDeps, { call, request }: Visit, provider: IdentityProvider): Promise<boolean> {
  const { origin } = request.instance;
  const { instanceId, now } = call;
  const [state, nonce, codeChallenge] = [1, 2, 3].map(() => generateSecret(deps.random).reveal());
  if (state === undefined || nonce === undefined || codeChallenge === undefined) throw new Error("no randomness");
  // No browser goes there, so nothing comes back.
  const asked = { instanceId, now, redirectUri: `${origin}/idps/callback`, state, nonce, codeChallenge };
  try {
    await createProviderClient(deps, provider, origin).begin(asked);
    return true;
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    return false;
  }
}
