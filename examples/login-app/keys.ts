import { createHmac } from "node:crypto";
import { type Call, Refusal } from "./api.ts";
import { at, findAttempt } from "./attempt.ts";
import { proceed } from "./goal.ts";
import { html } from "./html.ts";
import { type Answer, Dead, type Handler, type Visit } from "./http.ts";
import type { Attempt } from "./jar.ts";
import { button, footer, page } from "./page.ts";
import { prove, readProvenUser } from "./sessions.ts";

export interface KeySettings {
  /** The host that passkeys are for: this one, or a domain that it belongs to. It must be a domain of the instance. */
  readonly relyingParty: string;
  readonly key: Buffer;
}

/**
 * Passkeys instead of a password, and security keys after one. The only pages with a script, because browsers ask for
 * them by script alone.
 */
export function keyRoutes(call: Call, { relyingParty, key }: KeySettings): Readonly<Record<string, Handler>> {
  const askFor = async (visit: Visit, attempt: Attempt, verification: "REQUIRED" | "DISCOURAGED"): Promise<object> => {
    const userVerificationRequirement = `USER_VERIFICATION_REQUIREMENT_${verification}`;
    const challenges = { webAuthN: { domain: relyingParty, userVerificationRequirement } };
    const made = await prove(call, visit, attempt, { challenges });
    return made.challenges?.webAuthN?.publicKeyCredentialRequestOptions.publicKey ?? {};
  };
  // For unknown names, and names without a passkey: the challenge looks like any other, and nothing can answer it.
  const pretend = ({ loginName = "" }: Attempt): object => {
    const id = createHmac("sha256", key).update(`passkey of ${loginName.toLowerCase()}`).digest("base64url");
    const challenge = createHmac("sha256", key).update(`${Date.now()} ${loginName}`).digest("base64url");
    const allowCredentials = [{ type: "public-key", id, transports: ["internal", "hybrid"] }];
    return { challenge, timeout: 300_000, rpId: relyingParty, allowCredentials, userVerification: "required" };
  };
  const show = (
    visit: Visit,
    attempt: Attempt,
    title: string,
    { action, options }: { action: string; options: object },
  ): Answer => ({
    hasScript: true,
    page: page(
      title,
      html`<form method="post" action="${action}" data-options="${JSON.stringify(options)}">
<input type="hidden" name="csrf" value="${visit.jar.csrf}"><input type="hidden" name="attempt" value="${attempt.id}"><input type="hidden" name="credential" value="">
${button("Continue", html`autofocus`)}
</form>
<p id="status" role="status"></p>
<noscript><p>Your browser needs JavaScript for this. Everything else here works without.</p></noscript>
<p><a href="${action === "/passkey/answer" ? "/password" : "/second-factor"}?attempt=${attempt.id}">Choose another method</a></p>
${footer(visit.jar, attempt)}<script src="/key.js" defer></script>`,
    ),
  });
  const take = async (visit: Visit, attempt: Attempt): Promise<boolean> => {
    const credentialAssertionData = parse(visit.form.get("credential") ?? "");
    if (credentialAssertionData === undefined || attempt.sessionId === undefined) return false;
    try {
      await prove(call, visit, attempt, { checks: { webAuthN: { credentialAssertionData } } });
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  };
  return {
    "POST /passkey": async (visit) => {
      const attempt = findAttempt(visit);
      const options = await askFor(visit, attempt, "REQUIRED").catch((error: unknown) => {
        if (error instanceof Refusal) return pretend(attempt);
        throw error;
      });
      return show(visit, attempt, "Use a passkey", { action: "/passkey/answer", options });
    },

    "POST /passkey/answer": async (visit) => {
      const attempt = findAttempt(visit);
      if (await take(visit, attempt)) return proceed(call, visit, attempt);
      attempt.problem = "passkey_refused";
      return at("/password", attempt);
    },

    "POST /key": async (visit) => {
      const attempt = findAttempt(visit);
      if ((await readProvenUser(call, attempt)) === undefined) throw new Dead("Sign in first.");
      const options = await askFor(visit, attempt, "DISCOURAGED");
      return show(visit, attempt, "Use your key", { action: "/key/answer", options });
    },

    "POST /key/answer": async (visit) => {
      const attempt = findAttempt(visit);
      if (await take(visit, attempt)) return proceed(call, visit, attempt);
      attempt.problem = "key_refused";
      return at("/second-factor", attempt);
    },
  };
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
