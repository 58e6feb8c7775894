import { hash } from "node:crypto";
import {
  createPageContext,
  type Html,
  html,
  type PageContext,
  page,
  relayForm,
  relayScript,
} from "../../html/index.ts";
import type { FormPost, WebRequest, WebResponse } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { respondWithPage } from "../respond.ts";
import { findPageBrand } from "../visit/answer.ts";
import { allowedLanguages, choosePageLanguage } from "../visit/choose-page-language.ts";

/** Hash of the page's only script, for its content security policy. */
export const relayScriptHash: string = hash("sha256", relayScript, "base64");

/**
 * Renders responses of OAuth 2.0 Form Post Response Mode §2, and messages to SAML providers (SAML Bindings §3.5): one
 * script, allowed by its hash, and one form target.
 */
export const createFormPostPage =
  (deps: Pick<PageDeps, "texts" | "assets" | "settings" | "findBrand">) =>
  async (request: WebRequest, form: FormPost): Promise<WebResponse> => {
    const languages = await allowedLanguages(deps.settings, request.call.instanceId);
    const language = choosePageLanguage(request, languages, form.uiLocales);
    const { texts, assets } = deps;
    const brand = await findPageBrand(deps, { call: request.call });
    const context = createPageContext({ texts, assets, language, csrfToken: "", languageLinks: [], brand });
    return respondWithPage({
      page: formPostPage(context, form),
      language,
      origin: request.instance.origin,
      relay: { target: form.target, scriptHash: relayScriptHash, isOwn: isOurs(form.target, request) },
    });
  };

const isOurs = (target: string, { instance }: WebRequest): boolean => URL.parse(target)?.origin === instance.origin;

/** Renders the page: a form that a script submits, or its button. */
export function formPostPage(context: PageContext, form: FormPost): Html {
  const words = form.isToProvider === true ? "provider_form" : "form_post";
  const title = context.say(`${words}.title`);
  const { host } = new URL(form.target);
  return page(context, {
    title,
    body: html`<div class="title"><h1>${title}</h1><p>${context.say(`${words}.text`, { host })}</p></div>
${relayForm({ ...form, label: context.say("form_post.continue") })}`,
  });
}
