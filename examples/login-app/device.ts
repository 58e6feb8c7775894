import { type Call, Refusal } from "./api.ts";
import { at, findAttempt } from "./attempt.ts";
import { html } from "./html.ts";
import { Dead, type Handler, type Visit } from "./http.ts";
import { type Attempt, closeAttempt, openAttempt } from "./jar.ts";
import { nextStep } from "./next-step.ts";
import { button, field, footer, form, page } from "./page.ts";
import { agentOf, listSessions } from "./sessions.ts";

interface Device {
  readonly id: string;
  readonly appName: string;
  readonly scope?: readonly string[];
}

/** Letting in a device that shows a code (RFC 8628). Nothing is approved by opening a link. */
export function deviceRoutes(call: Call): Readonly<Record<string, Handler>> {
  const decide = async ({ jar }: Visit, attempt: Attempt, decision: object): Promise<void> => {
    try {
      const deviceAuthorizationId = attempt.device;
      await call("oidc.v2.OIDCService/AuthorizeOrDenyDeviceAuthorization", { deviceAuthorizationId, ...decision });
    } catch (error) {
      if (error instanceof Refusal)
        throw new Dead("The device was not let in: its code is too old, or you may not use it.");
      throw error;
    }
    closeAttempt(jar, attempt);
  };
  return {
    "GET /device": ({ jar, query }) => {
      const code = field(
        "code",
        "Code",
        html`autocomplete="off" autocapitalize="characters" maxlength="20" autofocus`,
        query.get("user_code") ?? "",
      );
      const problem =
        query.get("refused") === null
          ? undefined
          : html`<div role="alert">There is no device with that code, or the code is too old.</div>`;
      return {
        page: page(
          "Connect a device",
          html`${problem}<p>Enter the code that your device shows.</p>${form(jar, "/device", undefined, html`${code}${button("Continue")}`)}`,
        ),
      };
    },

    "POST /device": async (visit) => {
      try {
        const { deviceAuthorizationRequest: found } = await call<{ deviceAuthorizationRequest: Device }>(
          "oidc.v2.OIDCService/GetDeviceAuthorizationRequest",
          { userCode: visit.form.get("code") ?? "", userAgent: agentOf(visit) },
        );
        const names = { deviceName: found.appName, scope: (found.scope ?? []).join(" ") };
        const attempt = openAttempt(visit.jar, { device: found.id, ...names });
        return at((await listSessions(call, visit)).length > 0 ? "/accounts" : "/name", attempt);
      } catch (error) {
        if (error instanceof Refusal) return { redirect: "/device?refused=1" };
        throw error;
      }
    },

    "GET /device/decide": (visit) => {
      const attempt = findAttempt(visit);
      const asks = html`<p><strong>${attempt.deviceName}</strong> asks to act for you. It asks for: ${attempt.scope}.</p><p>Allow it only if you hold the device yourself.</p>`;
      const allow = form(visit.jar, "/device/allow", attempt, button("Allow"));
      return { page: page("Let the device in?", html`${asks}${allow}${footer(visit.jar, attempt)}`) };
    },

    "POST /device/allow": async (visit) => {
      const attempt = findAttempt(visit);
      const held = visit.jar.sessions.find(({ id }) => id === attempt.sessionId);
      if (held === undefined) return at("/name", attempt);
      const step = await nextStep(call, visit, attempt);
      if (!("redirect" in step && step.redirect.startsWith("/device/decide"))) return step;
      await decide(visit, attempt, { session: { sessionId: held.id, sessionToken: held.token } });
      return { redirect: "/device/done" };
    },

    "GET /device/done": () => ({ page: page("Done", html`<p>Go back to your device.</p>`) }),
  };
}
