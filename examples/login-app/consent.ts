import type { Call } from "./api.ts";
import { at, findWay } from "./attempt.ts";
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
      const way = findWay(visit);
      if (way.authRequest === undefined) return at("/name", way);
      const { redirectUri, scope = [] } = await readAuthRequest(call, way.authRequest);
      const url = URL.parse(redirectUri);
      const destination = url?.protocol === "https:" ? url.host : "a program on this device";
      const asks = html`<p>It gets the answer at <strong>${destination}</strong>, and asks for: ${scope.join(" ")}.</p>
<p>It is unverified. Allow it only if you have just started it yourself.</p>`;
      const allow = form(visit.jar, "/consent", way, button("Allow"));
      return { page: page("Allow access?", html`${asks}${allow}${footer(visit.jar, way)}`) };
    },

    "POST /consent": async (visit) => {
      const way = findWay(visit);
      return (await tryFinish(call, visit, way, { consentGiven: true })) ?? nextStep(call, visit, way);
    },
  };
}
