import { Fault } from "../../../base/fault.ts";
import { isMailtoLink, parseWebAddress } from "../../../base/names/web-address.ts";

export type LinkType = "terms_of_service" | "privacy_policy" | "help" | "support" | "docs" | "custom";

/** A link that pages show. */
export interface Link {
  /** Absent for a link of no particular kind. */
  readonly type?: LinkType;
  readonly url: string;
  /** Key of its text in the login texts; empty for the text of its type. */
  readonly translationKey: string;
  /** When absent, pages decide. */
  readonly target?: "self" | "blank";
}

/** Links that pages show, in their order. */
export interface LinkSettings {
  readonly links: readonly Link[];
}

export const defaultLinkSettings: LinkSettings = { links: [] };

const mostLinks = 50;

/** Refuses addresses that a page must not link to: a link that runs a script would be a hole. */
export function checkLinkSettings({ links }: LinkSettings): void {
  if (links.length > mostLinks) {
    throw new Fault("invalid_argument", "field.too_many", {
      field: "links",
      values: { field: "links", maximum: mostLinks },
    });
  }
  links.forEach(({ url, translationKey }, index) => {
    if (!isLink(url.replaceAll("{{.Lang}}", "en"))) {
      throw new Fault("invalid_argument", "settings.link_invalid", { field: `links[${index}].url` });
    }
    if (translationKey.length > 200) {
      const field = `links[${index}].translationKey`;
      throw new Fault("invalid_argument", "field.too_long", { field, values: { field, maximum: 200 } });
    }
  });
}

const isLink = (url: string): boolean => isMailtoLink(url) || parseWebAddress(url) !== undefined;
