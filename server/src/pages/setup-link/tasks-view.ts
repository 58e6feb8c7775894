import {
  buttonLink,
  field,
  fileField,
  form,
  given,
  type Href,
  type Html,
  type HtmlValue,
  href,
  html,
  keepButtons,
  notice,
  type PageContext,
  type PageKey,
  page,
} from "../../html/index.ts";
import { entryList, section } from "../account/parts/entry.ts";
import { heading } from "../parts/client.ts";

export interface DomainView {
  readonly domain: string;
  readonly isVerified: boolean;
  /** What has to be published; absent when nothing was asked for. */
  readonly record: { readonly name: string; readonly value: string } | undefined;
}

export type ProviderView = { readonly step: "absent"; readonly callback: string } | PresentProvider;

type PresentProvider = {
  readonly step: "present";
  readonly name: string;
  /** Whether the settings of the organization allow providers, and whether its sign-in page shows this one. */
  readonly isAllowed: boolean;
  readonly isOffered: boolean;
  /** What the holder is told of a provider that an administrator deactivated. */
  readonly stopped: string | undefined;
  readonly signInHref: Href;
} & (
  | { readonly kind: "oidc"; readonly callback: string; readonly issuer: string; readonly clientId: string }
  | { readonly kind: "other" }
  | { readonly kind: "saml"; readonly entityId: string; readonly consumer: string; readonly metadataUrl: string }
);

/** Why a change was refused, and what was entered for it; secrets are never sent back. */
export interface TaskProblem {
  readonly part: "domain" | "provider";
  readonly message: string;
  readonly kind?: "oidc" | "saml";
  readonly entered?: Readonly<Record<string, string>>;
}

/** What the holder of a setup link sets up. */
export interface TasksModel {
  readonly organizationName: string;
  /** Absent: not a part of the link. */
  readonly domains: readonly DomainView[] | undefined;
  readonly provider: ProviderView | undefined;
  /** The kind of provider that is chosen while there is none. */
  readonly kind: "oidc" | "saml";
  /** Of a test of the provider. */
  readonly outcome: "ok" | "failed" | undefined;
  readonly problem?: TaskProblem | undefined;
}

export function tasksPage(context: PageContext, model: TasksModel): Html {
  const { organizationName, domains, provider, problem } = model;
  const title = context.say("setup_link.title", { organization: organizationName });
  return page(context, {
    title,
    hasErrors: problem !== undefined || model.outcome === "failed",
    width: "wide setup",
    styles: ["account.css"],
    scripts: ["form.js"],
    body: html`${heading(title, html`<p>${context.say("setup_link.text")}</p>`)}
${domains !== undefined && domainSection(context, model, domains)}
${provider !== undefined && providerSection(context, model, provider)}
${section(
  "finish",
  context.say("setup_link.finish"),
  html`<p class="hint">${context.say("setup_link.finish_text")}</p>
${act(context, "finish", "setup_link.finish", { kind: "secondary" })}`,
)}`,
  });
}

const to = (path: string): Href => href(`/ui/setup-link/${path}`);

/** A form that is only a button. */
const act = (
  context: PageContext,
  path: string,
  label: PageKey,
  { kind, hidden = {} }: { readonly kind: "primary" | "secondary" | "quiet"; readonly hidden?: Record<string, string> },
): Html => form(context, { action: to(path), hidden, submit: { kind, label: context.say(label) } });

const problemOf = ({ problem }: TasksModel, part: TaskProblem["part"]): HtmlValue =>
  problem?.part === part && notice("error", html`<p id="${part}-error">${problem.message}</p>`, { role: "alert" });

/** A value to copy, under its name. */
const copyable = (context: PageContext, id: string, name: HtmlValue, value: string): Html =>
  html`<div id="${id}"><dt>${name}</dt><dd><code>${value}</code>${keepButtons(context, { of: id, actions: ["copy"] })}</dd></div>`;

function domainSection(context: PageContext, model: TasksModel, domains: readonly DomainView[]): Html {
  const entered = model.problem?.part === "domain" ? (model.problem.entered?.["domain"] ?? "") : "";
  return section(
    "domains",
    context.say("setup_link.domains"),
    problemOf(model, "domain"),
    html`<p class="hint">${context.say("setup_link.proof_lead")}</p>`,
    domains.length > 0 &&
      entryList(
        domains.map((one, index) => ({
          title: given(one.domain),
          mark: context.say(one.isVerified ? "setup_link.verified" : "setup_link.unverified"),
          isGood: one.isVerified,
          isOpen: !one.isVerified,
          ...(!one.isVerified && { lines: [proofOf(context, one, index)] }),
        })),
      ),
    form(context, {
      action: to("domain"),
      body: field(context, {
        type: "text",
        autocomplete: "off",
        name: "domain",
        label: context.say("setup_link.domain"),
        hint: context.say("setup_link.domain_hint"),
        value: entered,
        maximumLength: 200,
      }),
      submit: { kind: "secondary", label: context.say("setup_link.add_domain") },
    }),
  );
}

function proofOf(context: PageContext, { domain, record }: DomainView, index: number): Html {
  const hidden = { domain };
  if (record === undefined) return act(context, "proof", "setup_link.ask_for_proof", { kind: "secondary", hidden });
  return html`<div class="stack"><dl><div><dt>${context.say("setup_link.record_type")}</dt><dd>TXT</dd></div>
${copyable(context, `record-name-${index}`, context.say("setup_link.record_name"), record.name)}
${copyable(context, `record-value-${index}`, context.say("setup_link.record_value"), record.value)}</dl>
${act(context, "check", "setup_link.check", { kind: "secondary", hidden })}</div>`;
}

const providerSection = (context: PageContext, model: TasksModel, provider: ProviderView): Html =>
  section(
    "provider",
    context.say("setup_link.provider"),
    problemOf(model, "provider"),
    model.outcome !== undefined &&
      notice(
        model.outcome === "ok" ? "success" : "error",
        context.say(model.outcome === "ok" ? "setup_link.test_ok" : "setup_link.test_failed"),
        { role: model.outcome === "ok" ? "status" : "alert" },
      ),
    provider.step === "absent" ? newProvider(context, model, provider.callback) : setUp(context, model, provider),
  );

function newProvider(context: PageContext, model: TasksModel, callback: string): Html {
  const { kind: chosen } = model;
  const choice = (value: "oidc" | "saml", label: string): Html =>
    chosen === value
      ? html`<strong aria-current="true">${label}</strong>`
      : html`<a href="${href(`/ui/setup-link/tasks?kind=${value}`)}">${label}</a>`;
  return html`<p class="hint">${context.say("setup_link.provider_lead")}</p>
<p class="kinds">${choice("oidc", "OpenID Connect")} · ${choice("saml", "SAML 2.0")}</p>
${
  chosen === "oidc"
    ? html`${redirectUri(context, callback)}${oidcForm(context, model, { name: "", issuer: "", clientId: "", isNew: true })}`
    : html`<p class="hint">${context.say("setup_link.saml_addresses")}</p>${samlForm(context, model, { name: "", metadataUrl: "" })}`
}`;
}

function setUp(context: PageContext, model: TasksModel, provider: PresentProvider): Html {
  if (provider.stopped !== undefined) {
    return html`${entryList([{ title: given(provider.name) }])}${notice("warning", provider.stopped)}`;
  }
  return html`${formsOf(context, model, provider)}
${act(context, "test", "setup_link.test", { kind: "secondary" })}
${offer(context, provider)}
${act(context, "remove", "account.remove", { kind: "quiet" })}`;
}

function formsOf(context: PageContext, model: TasksModel, provider: PresentProvider): Html {
  switch (provider.kind) {
    case "oidc":
      return html`${redirectUri(context, provider.callback)}${oidcForm(context, model, { ...provider, isNew: false })}`;
    case "saml":
      return html`<p class="hint">${context.say("setup_link.register_lead")}</p><dl>${copyable(context, "entity-id", context.say("setup_link.entity_id"), provider.entityId)}
${copyable(context, "consumer", context.say("setup_link.consumer"), provider.consumer)}</dl>${samlForm(context, model, provider)}`;
    case "other":
      return entryList([{ title: given(provider.name) }]);
    default:
      return provider satisfies never;
  }
}

function offer(context: PageContext, { isAllowed, isOffered, signInHref }: PresentProvider): Html {
  if (!isOffered) return act(context, "offer", "setup_link.offer", { kind: "primary" });
  if (!isAllowed) return notice("warning", context.say("setup_link.not_allowed"));
  return html`${notice("success", context.say("setup_link.offered"))}
<p class="hint">${context.say("setup_link.try_lead")}</p>
${buttonLink(signInHref, context.say("setup_link.try"), "secondary")}`;
}

const redirectUri = (context: PageContext, callback: string): Html =>
  html`<p class="hint">${context.say("setup_link.register_lead")}</p><dl>${copyable(context, "redirect-uri", context.say("setup_link.redirect_uri"), callback)}</dl>`;

const text = (
  context: PageContext,
  name: string,
  { label, value, hint, optional = false }: { label: PageKey; value: string; hint?: PageKey; optional?: boolean },
): Html =>
  field(context, {
    type: "text",
    autocomplete: "off",
    name,
    label: context.say(label),
    value,
    maximumLength: 1000,
    optional,
    ...(hint !== undefined && { hint: context.say(hint) }),
  });

const enteredIn = ({ problem }: TasksModel): Readonly<Record<string, string>> =>
  problem?.part === "provider" ? (problem.entered ?? {}) : {};

const nameField = (context: PageContext, model: TasksModel, stored: string): Html =>
  text(context, "provider_name", {
    label: "setup_link.name",
    hint: "setup_link.name_hint",
    value: enteredIn(model)["provider_name"] ?? stored,
  });

function oidcForm(
  context: PageContext,
  model: TasksModel,
  stored: { readonly name: string; readonly issuer: string; readonly clientId: string; readonly isNew: boolean },
): Html {
  const entered = enteredIn(model);
  const { isNew } = stored;
  return form(context, {
    action: to("oidc"),
    body: html`${nameField(context, model, stored.name)}
${text(context, "issuer", { label: "setup_link.issuer", value: entered["issuer"] ?? stored.issuer })}
${text(context, "client_id", { label: "setup_link.client_id", value: entered["client_id"] ?? stored.clientId })}
${text(context, "client_secret", {
  label: "setup_link.client_secret",
  value: "",
  optional: !isNew,
  ...(!isNew && { hint: "setup_link.secret_keep" as const }),
})}`,
    submit: { kind: isNew ? "primary" : "secondary", label: context.say("account.save") },
  });
}

function samlForm(
  context: PageContext,
  model: TasksModel,
  stored: { readonly name: string; readonly metadataUrl: string },
): Html {
  return form(context, {
    action: to("saml"),
    hasFile: true,
    body: html`${nameField(context, model, stored.name)}
${text(context, "metadata_url", {
  label: "setup_link.metadata_url",
  value: enteredIn(model)["metadata_url"] ?? stored.metadataUrl,
  optional: true,
})}
${fileField({
  name: "metadata",
  label: context.say("setup_link.metadata"),
  hint: context.say("setup_link.metadata_hint"),
  accept: [".xml", "text/xml", "application/xml"],
  optional: context.say("form.optional"),
})}`,
    submit: { kind: stored.name === "" ? "primary" : "secondary", label: context.say("account.save") },
  });
}
