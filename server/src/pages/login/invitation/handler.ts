import { Fault } from "../../../base/fault.ts";
import { mayPrepareFor } from "../../../domain/administrator-access/index.ts";
import { requestInvitation, verifyInvitation } from "../../../domain/invitation/index.ts";
import { removePrepared } from "../../../domain/sign-out/index.ts";
import { acceptInvitationWithPasskey, startInvitationPasskey } from "../../../domain/webauthn-key/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageAt } from "../../visit/handlers.ts";
import { readCredential, readKeyName } from "../../visit/read-credential.ts";
import { openTicket, sealTicket, textIn } from "../../visit/ticket.ts";
import { hostOf, type Visit } from "../../visit/visit.ts";
import { passkeyPage } from "../passkey/view.ts";
import { type AcceptedCode, pageForCode, takePassword } from "../password-code/handler.ts";
import { invitationPath as path } from "../password-code/invitation-address.ts";
import { againPath, findInvitationMethods } from "../password-code/invitation-methods.ts";
import { drawInvitation, toPasswordCodeProblem } from "../password-code/show-password-code.ts";
import { invitationProviderPages, leaveForProvider } from "./provider-handler.ts";

const passkeyPath = `${path}/passkey`;
const ticketPurpose = "invitation";

/** Accepts an invitation in the way that the user chose, among those that the settings allow. */
async function acceptInvitation(deps: PageDeps, visit: Visit, accepted: AcceptedCode): Promise<WebResponse> {
  const { user, userId, code, form } = accepted;
  const methods = await findInvitationMethods(deps, visit, { purpose: "invitation", user });
  if (methods.passkey && form.get("with") === "passkey") return askForPasskey(deps, visit, { userId, code, form });
  const identityProviderId = form.get("provider");
  if (methods.providers.length > 0 && identityProviderId !== null) {
    return leaveForProvider(deps, visit, { userId, code, identityProviderId });
  }
  return methods.password ? takePassword(deps, visit, accepted) : acceptAlone(deps, visit, { userId, code });
}

/** Accepts an invitation where users sign in elsewhere. */
async function acceptAlone(
  deps: PageDeps,
  visit: Visit,
  { userId, code }: { readonly userId: string; readonly code: string },
): Promise<WebResponse> {
  try {
    await verifyInvitation({ ...deps, mayPrepareFor, removePrepared }, visit.call, { userId, code });
    return seeOther("/ui/login/verify-email/done");
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return drawInvitation(deps, visit, { userId, code, problem: toPasswordCodeProblem(error) });
  }
}

/** Asks the browser for a passkey after a correct code, which is consumed with it. */
async function askForPasskey(
  deps: PageDeps,
  visit: Visit,
  { userId, code, form }: { readonly userId: string; readonly code: string; readonly form: URLSearchParams },
): Promise<WebResponse> {
  if (form.get("passkeys") !== "1") {
    return drawInvitation(deps, visit, { userId, code, problem: { id: "sign_in.passkeys_unsupported" } });
  }
  try {
    const host = hostOf(visit.request);
    const { options, ...started } = await startInvitationPasskey(deps, visit.call, { userId, code, host });
    const ticket = sealTicket(deps, visit, ticketPurpose, { userId, code, ...started });
    const action = pathTo(passkeyPath, { user: userId });
    return await show(
      deps,
      visit,
      (context) => passkeyPage(context, { step: "create", action, options: JSON.stringify(options), ticket }),
      { isAddressable: false },
    );
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return drawInvitation(deps, visit, { userId, code, problem: toPasswordCodeProblem(error) });
  }
}

const takePasskey: FormHandler = async (deps, visit, form) => {
  const content = openTicket(deps, visit, ticketPurpose, form.get("ticket"));
  const text = (name: string): string => textIn(content, name);
  const [userId, code] = [text("userId"), text("code")];
  const credential = readCredential(form.get("credential"));
  if (credential === undefined || userId === "") {
    return seeOther(pathTo(path, { user: visit.query.get("user") ?? userId }));
  }
  const started = { credentialId: text("credentialId"), relyingPartyId: text("relyingPartyId") };
  const name = readKeyName(form.get("passkey_name"));
  try {
    await acceptInvitationWithPasskey({ ...deps, removePrepared }, visit.call, {
      userId,
      code,
      started,
      credential,
      name,
    });
    return seeOther("/ui/login/passkey/done");
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const isOfKey = error.id === "factor.key_refused" || error.id === "factor.key_known";
    const problem = isOfKey ? { id: error.id } : toPasswordCodeProblem(error);
    return drawInvitation(deps, { ...visit, query: new URLSearchParams({ user: userId }) }, { userId, code, problem });
  }
};

const takeAgain: FormHandler = async (deps, visit) => {
  const userId = visit.query.get("user") ?? "";
  await requestInvitation({ ...deps, mayPrepareFor }, visit.call, { userId });
  // The same response, whether there was an invitation or not.
  return seeOther(pathTo(path, { user: userId, again: "1" }));
};

/** The pages of an invitation: a password, a passkey, an account at a provider, and another invitation. */
export const invitationPages: readonly PageAt[] = [
  pageForCode("invitation", acceptInvitation),
  { path: passkeyPath, post: takePasskey, pageOfForm: path },
  { path: againPath, post: takeAgain, pageOfForm: path },
  ...invitationProviderPages,
];
