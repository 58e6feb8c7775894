import { type Call, Refusal } from "./api.ts";
import { at, findAttempt } from "./attempt.ts";
import { proceed } from "./goal.ts";
import { html } from "./html.ts";
import { Dead, type Handler } from "./http.ts";
import { readSettings } from "./login-settings.ts";
import { button, footer, form, page } from "./page.ts";
import { prove } from "./sessions.ts";

interface Provider {
  readonly id: string;
  readonly name: string;
  readonly options?: { readonly isAutoCreation?: boolean };
}

/** What the server knows of an attempt; `createUser` is the account that would be made from the provider's answer. */
interface Attempt {
  readonly idpInformation?: { readonly idpId?: string };
  readonly createUser?: object;
}

/** Signing in with an account at an identity provider that the settings offer. */
export function providerRoutes(call: Call, origin: string): Readonly<Record<string, Handler>> {
  const list = async (): Promise<readonly Provider[]> => {
    if ((await readSettings(call)).allowExternalIdp !== true) return [];
    const { identityProviders = [] } = await call<{ identityProviders?: readonly Provider[] }>(
      "settings.v2.SettingsService/GetActiveIdentityProviders",
      { ctx: { instance: true } },
    );
    return identityProviders;
  };
  /**
   * Makes an account from the provider's answer, where the provider's options want that; otherwise returns undefined.
   */
  const createUser = async (intent: object): Promise<string | undefined> => {
    const { idpInformation, createUser: suggested } = await call<Attempt>(
      "user.v2.UserService/RetrieveIdentityProviderIntent",
      intent,
    );
    const provider = (await list()).find(({ id }) => id === idpInformation?.idpId);
    if (provider?.options?.isAutoCreation !== true || suggested === undefined) return undefined;
    return (await call<{ id: string }>("user.v2.UserService/CreateUser", suggested)).id;
  };
  return {
    "GET /providers": async (visit) => {
      const attempt = findAttempt(visit);
      const offered = (await list()).map(({ id, name }) =>
        form(
          visit.jar,
          "/providers",
          attempt,
          html`<input type="hidden" name="provider" value="${id}">${button(`Continue with ${name}`)}`,
        ),
      );
      const body = offered.length === 0 ? html`<p>There is none at present.</p>` : html`${offered}`;
      const back = html`<p><a href="/name?attempt=${attempt.id}">Back to signing in</a></p>`;
      return { page: page("Sign in with another service", html`${body}${back}${footer(visit.jar, attempt)}`) };
    },

    "POST /providers": async (visit) => {
      const attempt = findAttempt(visit);
      const chosen = (await list()).find(({ id }) => id === visit.form.get("provider"));
      if (chosen === undefined) return at("/providers", attempt);
      const back = (outcome: string): string => `${origin}/providers/${outcome}?attempt=${attempt.id}`;
      const { authUrl } = await call<{ authUrl?: string }>("user.v2.UserService/StartIdentityProviderIntent", {
        idpId: chosen.id,
        urls: { successUrl: back("done"), failureUrl: back("failed") },
      });
      if (authUrl === undefined) throw new Dead("This application cannot speak to that service.");
      return { redirect: authUrl };
    },

    // The browser comes back with the attempt and its token. It counts only in the browser that began: a link that an
    // attacker sends leads nowhere.
    "GET /providers/done": async (visit) => {
      const attempt = findAttempt(visit);
      const idpIntent = { idpIntentId: visit.query.get("id") ?? "", idpIntentToken: visit.query.get("token") ?? "" };
      delete attempt.sessionId;
      try {
        const userId = visit.query.get("user") ?? (await createUser(idpIntent));
        if (userId === undefined) {
          attempt.problem = "external_unknown";
          return at("/name", attempt);
        }
        await prove(call, visit, attempt, { checks: { user: { userId }, idpIntent } });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        attempt.problem = "external_failed";
        return at("/name", attempt);
      }
      return proceed(call, visit, attempt);
    },

    "GET /providers/failed": (visit) => {
      const attempt = findAttempt(visit);
      attempt.problem = "external_failed";
      return at("/name", attempt);
    },
  };
}
