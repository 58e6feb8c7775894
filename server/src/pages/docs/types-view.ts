import type { FieldReference, TypeReference, TypesByName } from "../../api/index.ts";
import { type Html, href, html, link } from "../../html/index.ts";
import { badge, prose, withCode } from "./prose.ts";

/** Renders a type with an anchor for the links of fields. */
export const typeSection = (types: TypesByName, type: TypeReference): Html =>
  html`<section class="panel stack" id="${type.name}"><h3>${shortName(type.name)}</h3>
${prose(type.text)}
${type.values.length > 0 ? valueList(type) : fieldList(types, type.name)}</section>`;

/** Renders the fields of a message. */
export function fieldList(types: TypesByName, name: string): Html {
  const fields = types[name]?.fields ?? [];
  if (fields.length === 0) return html`<p class="muted">No fields.</p>`;
  return html`<dl class="fields">${fields.map((field) => describe(field))}</dl>`;
}

const describe = (field: FieldReference): Html =>
  html`<div><dt><code>${field.name}</code> ${typeOf(field)}${field.isRequired && badge("required")}${
    field.isDeprecated && badge("deprecated", true)
  }</dt>
<dd>${prose(field.text)}${field.limits.length > 0 && html`<p class="hint">${field.limits.join("; ")}</p>`}${
    field.others.length > 0 &&
    html`<p class="hint">Not together with ${withCode(field.others.map((other) => `\`${other}\``).join(", "))}.</p>`
  }</dd></div>`;

const typeOf = ({ type, refersTo }: FieldReference): Html =>
  refersTo === undefined
    ? html`<span class="muted">${type}</span>`
    : html`<span>${link(href(`#${refersTo}`), type)}</span>`;

const valueList = ({ values }: TypeReference): Html =>
  html`<dl class="fields">${values.map(({ name, text }) => html`<div><dt><code>${name}</code></dt><dd>${prose(text)}</dd></div>`)}</dl>`;

/** Returns the name without area and version: `CreateUserRequest.Human`. */
const shortName = (name: string): string => /\.v\d+\w*\.(.+)$/.exec(name)?.[1] ?? name;
