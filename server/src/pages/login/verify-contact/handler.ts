import { Fault } from "../../../base/fault.ts";
import { mayPrepareFor } from "../../../domain/administrator-access/index.ts";
import { requestContactCode, verifyEmail, verifyPhone } from "../../../domain/contact/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { PageAt } from "../../visit/handlers.ts";
import type { Visit } from "../../visit/visit.ts";
import { resendWait } from "../flow/resend-wait.ts";
import { readTypedCode } from "../flow/typed-code.ts";
import { findSignedIn } from "../signed-in/handler.ts";
import { type VerifiedContact, verifyContactPage } from "./view.ts";

/** How each contact is verified, and where. */
const contacts = {
  email: {
    path: "/ui/login/verify-email",
    resendPath: "/ui/login/verify-email/resend",
    codeKind: "email_verification",
    verify: verifyEmail,
  },
  phone: {
    path: "/ui/login/verify-phone",
    resendPath: "/ui/login/verify-phone/resend",
    codeKind: "phone_verification",
    verify: verifyPhone,
  },
} as const satisfies Record<VerifiedContact, unknown>;

/** Returns the link of a message for verifying an address, as a template of the outbox. */
export const verifyEmailTemplate = ({ request }: Visit): string =>
  `${request.instance.origin}${contacts.email.path}?user={{.UserID}}&code={{.Code}}`;

/**
 * `/ui/login/verify-email` and `/ui/login/verify-phone`: the code that was sent to an address or a number.
 */
export const verifyContactPages: readonly PageAt[] = [...pagesOf("email"), ...pagesOf("phone")];

/**
 * The code works in any browser, for the user in the link, else for the signed-in user; wrong codes are counted. A GET
 * proves nothing and sends nothing, so a link stays valid after a scanner has followed it.
 */
function pagesOf(contact: VerifiedContact): PageAt[] {
  const { path, resendPath, codeKind, verify } = contacts[contact];
  const donePath = `${path}/done`;
  return [
    {
      path,
      get: async (deps, visit) => {
        const userId = await findUserId(deps, visit);
        if (userId === undefined) return seeOther("/ui/login");
        const code = await readTypedCode(deps, visit, codeKind, visit.query.get("code"));
        return draw(deps, visit, contact, { userId, code, problem: undefined });
      },
      post: async (deps, visit, form) => {
        const userId = await findUserId(deps, visit);
        if (userId === undefined) return seeOther("/ui/login");
        const code = await readTypedCode(deps, visit, codeKind, form.get("code"));
        try {
          await verify({ ...deps, mayPrepareFor }, visit.call, { userId, code });
          return seeOther(donePath);
        } catch (error) {
          // Without a valid code nothing is learned about users: every refusal is the same.
          if (!(error instanceof Fault)) throw error;
          return draw(deps, visit, contact, { userId, code, problem: error.id });
        }
      },
    },
    {
      path: resendPath,
      pageOfForm: path,
      post: async (deps, visit) => {
        const userId = await findUserId(deps, visit);
        if (userId === undefined) return seeOther("/ui/login");
        await requestContactCode({ ...deps, mayPrepareFor }, visit.call, { userId, contact });
        // The same response, whether there is something to verify or not.
        return seeOther(pathTo(path, { user: userId, again: String(visit.call.now) }));
      },
    },
    {
      path: donePath,
      get: (deps, visit) =>
        show(
          deps,
          visit,
          (context) => verifyContactPage(context, { outcome: "verified", contact, startHref: pathTo("/") }),
          { hasForm: false },
        ),
    },
  ];
}

const findUserId = async (deps: PageDeps, visit: Visit): Promise<string | undefined> =>
  visit.query.get("user") ?? (await findSignedIn(deps, visit))?.session.userId;

const draw = (
  deps: PageDeps,
  visit: Visit,
  contact: VerifiedContact,
  { userId, code, problem }: { readonly userId: string; readonly code: string; readonly problem: string | undefined },
): Promise<WebResponse> =>
  show(deps, visit, (context) =>
    verifyContactPage(context, {
      outcome: "asked",
      contact,
      action: pathTo(contacts[contact].path, { user: userId }),
      code,
      resend: { action: pathTo(contacts[contact].resendPath, { user: userId }), wait: resendWait(visit) },
      isSentAgain: visit.query.has("again") && problem === undefined,
      errors:
        problem === undefined
          ? []
          : [{ field: "code", message: deps.texts.translate(context.language, `fault.${problem}`) }],
    }),
  );
