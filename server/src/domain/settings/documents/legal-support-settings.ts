import { Fault } from "../../../base/fault.ts";
import { parseWebAddress } from "../../../base/names/web-address.ts";

/** Links to legal documents and support. Empty for none. A link may contain `{{.Lang}}` in place of the language. */
export interface LegalSupportSettings {
  readonly tosLink: string;
  readonly privacyPolicyLink: string;
  /** The accessibility statement (Directive (EU) 2019/882, annex V). */
  readonly accessibilityLink: string;
  readonly helpLink: string;
  readonly supportEmail: string;
  readonly docsLink: string;
  readonly customLink: string;
  readonly customLinkText: string;
}

export const defaultLegalSupportSettings: LegalSupportSettings = {
  tosLink: "",
  privacyPolicyLink: "",
  accessibilityLink: "",
  helpLink: "",
  supportEmail: "",
  docsLink: "",
  customLink: "",
  customLinkText: "",
};

type Field = keyof LegalSupportSettings;
const others: readonly Field[] = ["supportEmail", "customLinkText"];
// All fields but these, so that a new one is not stored unchecked because a list lacks it.
const links = (Object.keys(defaultLegalSupportSettings) as Field[]).filter((field) => !others.includes(field));

/** Refuses links that do not lead to web pages. */
export function checkLegalSupportSettings(settings: LegalSupportSettings): void {
  for (const field of links) {
    const link = settings[field];
    if (link !== "" && !isWebLink(link)) {
      throw new Fault("invalid_argument", "settings.link_invalid", { field });
    }
  }
  if (settings.customLinkText.length > 200) {
    throw new Fault("invalid_argument", "field.too_long", {
      field: "customLinkText",
      values: { field: "customLinkText", maximum: 200 },
    });
  }
}

const isWebLink = (link: string): boolean => parseWebAddress(link.replaceAll("{{.Lang}}", "en")) !== undefined;
