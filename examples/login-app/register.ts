import { type Call, Refusal } from "./api.ts";
import { at, findAttempt } from "./attempt.ts";
import { readAuthRequest } from "./auth-request.ts";
import { proceed } from "./goal.ts";
import { html } from "./html.ts";
import { Dead, type Handler } from "./http.ts";
import type { Attempt } from "./jar.ts";
import { readSettings } from "./login-settings.ts";
import { alertOf, button, field, footer, form, page } from "./page.ts";
import { newPassword } from "./passwords.ts";
import { problemOf } from "./sentences.ts";
import { prove } from "./sessions.ts";

const organizationScope = /^urn:[a-z]+:iam:org:id:(.+)$/;

/** Making an account, where the settings let users do so. */
export function registerRoutes(call: Call, origin: string): Readonly<Record<string, Handler>> {
  /**
   * Finds the organization of the account. Asked for the form and again for its input: hiding the form stops no
   * request.
   */
  const findOrganization = async (attempt: Attempt): Promise<string> => {
    const request = attempt.authRequest === undefined ? undefined : await readAuthRequest(call, attempt.authRequest);
    const named = (request?.scope ?? []).flatMap((scope) => organizationScope.exec(scope)?.[1] ?? [])[0];
    const organizationId = named ?? (await defaultOrganization());
    if ((await readSettings(call, organizationId)).allowRegister !== true)
      throw new Dead("Accounts cannot be created here.");
    return organizationId;
  };
  const defaultOrganization = async (): Promise<string> =>
    (await call<{ defaultOrganizationId: string }>("settings.v2.SettingsService/GetGeneralSettings", {}))
      .defaultOrganizationId;
  return {
    "GET /register": async (visit) => {
      const attempt = findAttempt(visit);
      const orgId = await findOrganization(attempt);
      const { settings } = await call<{ settings?: Readonly<Record<string, string>> }>(
        "settings.v2.SettingsService/GetLegalAndSupportSettings",
        { ctx: { orgId } },
      );
      const legal = [
        ["Terms of service", settings?.["tosLink"]],
        ["Privacy policy", settings?.["privacyPolicyLink"]],
      ] as const;
      const links = legal.map(([label, link]) =>
        isWebAddress(link) ? html`<p><a href="${link}">${label}</a></p>` : undefined,
      );
      const fields = html`${field("givenName", "First name", html`autocomplete="given-name" maxlength="200"`)}
${field("familyName", "Last name", html`autocomplete="family-name" maxlength="200"`)}
${field("email", "Email address", html`type="email" autocomplete="email" maxlength="200"`)}
${newPassword()}${button("Create account")}`;
      return {
        page: page(
          "Create an account",
          html`${alertOf(attempt)}${form(visit.jar, "/register", attempt, fields)}${links}<p><a href="/name?attempt=${attempt.id}">I have an account</a></p>${footer(visit.jar, attempt)}`,
        ),
      };
    },

    "POST /register": async (visit) => {
      const attempt = findAttempt(visit);
      const organizationId = await findOrganization(attempt);
      const text = (name: string): string => (visit.form.get(name) ?? "").trim();
      const password = visit.form.get("newPassword") ?? "";
      const urlTemplate = `${origin}/verify-email?user={{.UserID}}&code={{.Code}}`;
      const human = {
        profile: { givenName: text("givenName"), familyName: text("familyName") },
        email: { email: text("email"), sendCode: { urlTemplate } },
        password: { password },
      };
      try {
        const { id: userId } = await call<{ id: string }>("user.v2.UserService/CreateUser", { organizationId, human });
        delete attempt.sessionId;
        attempt.loginName = text("email");
        await prove(call, visit, attempt, { checks: { user: { userId }, password: { password } } });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // The page does not tell whether the address is taken already, but does tell why a password is too weak.
        attempt.problem = /^(password|field)\./.test(error.id) ? problemOf(error) : "register_failed";
        return at("/register", attempt);
      }
      return proceed(call, visit, attempt);
    },

    // The link in the mail. Programs open links as well, so the user presses a button.
    "GET /verify-email": ({ jar, query }) => {
      const hidden = ["user", "code"].map(
        (name) => html`<input type="hidden" name="${name}" value="${query.get(name) ?? ""}">`,
      );
      const problem =
        query.get("refused") === null ? undefined : html`<div role="alert">The link is too old or has been used.</div>`;
      return {
        page: page(
          "Confirm your email address",
          html`${problem}${form(jar, "/verify-email", undefined, html`${hidden}${button("Confirm")}`)}`,
        ),
      };
    },

    "POST /verify-email": async ({ form: fields }) => {
      const [userId, verificationCode] = [fields.get("user") ?? "", fields.get("code") ?? ""];
      try {
        await call("user.v2.UserService/VerifyEmail", { userId, verificationCode });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return {
          redirect: `/verify-email?${new URLSearchParams({ user: userId, code: verificationCode, refused: "1" }).toString()}`,
        };
      }
      return { redirect: "/verified" };
    },

    "GET /verified": () => ({ page: page("Your address is confirmed", html`<p>You can close this page.</p>`) }),
  };
}

const isWebAddress = (link: string | undefined): link is string => /^https?:/.test(link ?? "");
