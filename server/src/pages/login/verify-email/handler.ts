import { Fault } from "../../../base/fault.ts";
import { requestContactCode, verifyEmail } from "../../../domain/contact/index.ts";
import { mayPrepareFor } from "../../../domain/membership/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageAt, PageHandler } from "../../visit/handlers.ts";
import type { Visit } from "../../visit/visit.ts";
import { resendWait } from "../flow/resend-wait.ts";
import { readTypedCode } from "../flow/typed-code.ts";
import { findSignedIn } from "../signed-in/handler.ts";
import { verifyEmailPage } from "./view.ts";

const path = "/ui/login/verify-email";
const resendPath = `${path}/resend`;

/** Returns the link of a message for verifying an address, as a template of the outbox. */
export const verifyEmailTemplate = ({ request }: Visit): string =>
  `${request.instance.origin}${path}?user={{.UserID}}&code={{.Code}}`;

/**
 * `/ui/login/verify-email`: the code that was sent to an address. It works in any browser, for the user in the link,
 * else for the signed-in user. A GET proves nothing, so a link stays valid after a scanner has followed it.
 */
export const showVerifyEmail: PageHandler = async (deps, visit) => {
  const userId = await findUserId(deps, visit);
  if (userId === undefined) return seeOther("/ui/login");
  return draw(deps, visit, {
    userId,
    code: await readTypedCode(deps, visit, "email_verification", visit.query.get("code")),
    problem: undefined,
  });
};

export const takeVerifyEmail: FormHandler = async (deps, visit, form) => {
  const userId = await findUserId(deps, visit);
  if (userId === undefined) return seeOther("/ui/login");
  const code = await readTypedCode(deps, visit, "email_verification", form.get("code"));
  try {
    await verifyEmail({ ...deps, mayPrepareFor }, visit.call, { userId, code });
    return seeOther(`${path}/done`);
  } catch (error) {
    // Without a valid code nothing is learned about users: every refusal is the same.
    if (!(error instanceof Fault)) throw error;
    return draw(deps, visit, { userId, code, problem: error.id });
  }
};

/** `/ui/login/verify-email/resend`: sends another code. */
export const verifyEmailResend: PageAt = {
  path: resendPath,
  pageOfForm: path,
  post: async (deps, visit) => {
    const userId = await findUserId(deps, visit);
    if (userId === undefined) return seeOther("/ui/login");
    await requestContactCode({ ...deps, mayPrepareFor }, visit.call, { userId, contact: "email" });
    // The same response, whether there is an address to verify or not.
    return seeOther(pathTo(path, { user: userId, again: String(visit.call.now) }));
  },
};

/** `/ui/login/verify-email/done`: the address is verified. */
export const showEmailVerified: PageHandler = (deps, visit) =>
  show(deps, visit, (context) => verifyEmailPage(context, { outcome: "verified", startHref: pathTo("/") }), {
    hasForm: false,
  });

async function findUserId(deps: PageDeps, visit: Visit): Promise<string | undefined> {
  return visit.query.get("user") ?? (await findSignedIn(deps, visit))?.session.userId;
}

const draw = (
  deps: PageDeps,
  visit: Visit,
  { userId, code, problem }: { readonly userId: string; readonly code: string; readonly problem: string | undefined },
): Promise<WebResponse> =>
  show(deps, visit, (context) =>
    verifyEmailPage(context, {
      outcome: "asked",
      action: pathTo(path, { user: userId }),
      code,
      resend: { action: pathTo(resendPath, { user: userId }), wait: resendWait(visit) },
      isSentAgain: visit.query.has("again") && problem === undefined,
      errors:
        problem === undefined
          ? []
          : [{ field: "code", message: deps.texts.translate(context.language, `fault.${problem}`) }],
    }),
  );
