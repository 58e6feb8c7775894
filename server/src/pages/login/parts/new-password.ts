import { attributes, type FormErrors, field, type Html, html, type PageContext } from "../../../html/index.ts";

/** Requirements of the policy for a new password. */
export interface PasswordRules {
  readonly minimumLength: number;
  readonly upperCase: boolean;
  readonly lowerCase: boolean;
  readonly number: boolean;
  readonly symbol: boolean;
}

export interface NewPassword<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly rules: PasswordRules;
  readonly errors: FormErrors<Name | "new_password_repeated">;
}

/**
 * Renders the input of a new password, with the rules in advance. With the script, users can show the password. Without
 * it they type it twice, as `new_password_repeated`, which is compared when it is present.
 */
export const newPasswordField = <Name extends string>(context: PageContext, options: NewPassword<Name>): Html => {
  const { name, label, rules, errors } = options;
  const focus = { autofocus: errors.focuses(name), error: errors.of(name) };
  return html`<div class="stack">${field(context, {
    type: "password",
    autocomplete: "new-password",
    name,
    label,
    describedBy: "rules",
    ...focus,
  })}
<div class="rules" id="rules"><p>${context.say("password.rules")}</p>
<ul data-rules-for="${name}">${ruleItems(context, rules)}</ul></div>
<noscript>${field(context, {
    type: "password",
    autocomplete: "new-password",
    name: "new_password_repeated",
    label: context.say("password.repeat"),
    error: errors.of("new_password_repeated"),
  })}</noscript></div>`;
};

// A browser cannot tick the last one: only the server knows which passwords are common.
function ruleItems(context: PageContext, rules: PasswordRules): Html {
  const item = (rule: string, words: string, count?: number): Html =>
    html`<li${attributes({ "data-rule": rule, "data-count": count })}><span>${words}<span class="visually-hidden" hidden>, ${context.say("password.rule_met")}</span></span></li>`;
  const composition = [
    ["upper_case", rules.upperCase],
    ["lower_case", rules.lowerCase],
    ["number", rules.number],
    ["symbol", rules.symbol],
  ] as const;
  return html`${item("length", context.say("password.rule.length", { count: rules.minimumLength }), rules.minimumLength)}
${composition.map(([rule, isAsked]) => isAsked && item(rule, context.say(`password.rule.${rule}`)))}
<li>${context.say("password.rule.uncommon")}</li>`;
}
