import type { Call } from "./api.ts";
import { at, findAttempt } from "./attempt.ts";
import { readAuthRequest } from "./auth-request.ts";
import { tryFinish } from "./goal.ts";
import { html } from "./html.ts";
import type { Handler } from "./http.ts";
import { nextStep } from "./next-step.ts";
import { button, footer, form, page } from "./page.ts";

/** Asks whether an untrusted application may have what it asks for. The server says when that is needed. */
export function consentRoutes(call: Call): Readonly<Record<string, Handler>> {
  return {
    "GET /consent": async (visit) => {
      const attempt = findAttempt(visit);
      if (attempt.authRequest === undefined) return at("/name", attempt);
      const { redirectUri, scope = [] } = await readAuthRequest(call, attempt.authRequest);
      const url = URL.parse(redirectUri);
      const destination = url?.protocol === "https:" ? url.host : "a program on this device";
      const asks = html`<p>It gets the answer at <strong>${destination}</strong>, and asks for: ${scope.join(" ")}.</p>
<p>It is unverified. Allow it only if you have just started it yourself.</p>`;
      const allow = form(visit.jar, "/consent", attempt, button("Allow"));
      return { page: page("Allow access?", html`${asks}${allow}${footer(visit.jar, attempt)}`) };
    },

    "POST /consent": async (visit) => {
      const attempt = findAttempt(visit);
      return (await tryFinish(call, visit, attempt, { consentGiven: true })) ?? nextStep(call, visit, attempt);
    },
  };
}
