import { href } from "../../../src/html/index.ts";
import { galleryLogo } from "./gallery-avatar.ts";

// What pages of the gallery show: as short and as long as it comes.
export const to = href("/ui/login");
export const client = { name: "Acme Shop", host: "shop.acme.example" };
/** A client that registered itself, with all that it may say. */
export const registeredClient = {
  name: "Notebook",
  host: "notebook.example.com",
  logoHref: href(`/avatars/${galleryLogo}`),
  documents: [
    { kind: "terms", href: href("https://notebook.example.com/terms"), host: "notebook.example.com" },
    { kind: "privacy", href: href("https://legal.example/privacy"), host: "legal.example" },
  ],
} as const;
export const longClient = {
  name: "Reisekostenabrechnungssystem der Niederrheinischen Verkehrsgesellschaft mit beschränkter Haftung",
  host: "reisekosten.niederrheinische-verkehrsgesellschaft.example",
};
export const ada = { displayName: "Ada Lovelace", loginName: "ada@acme.example", organizationName: "Acme" };
export const long = {
  displayName: "Maximiliane Freifrau von und zu Hohenstein-Wolkenburg",
  loginName: "maximiliane.freifrau.von.und.zu.hohenstein@vertrieb.niederrheinische-verkehrsgesellschaft.example",
  organizationName: "Niederrheinische Verkehrsgesellschaft mbH, Abteilung Kundenzufriedenheit",
};
export const at = Date.UTC(2026, 10, 21, 14, 5);
export const rules = { minimumLength: 12, upperCase: false, lowerCase: false, number: false, symbol: false };
export const strictRules = { minimumLength: 12, upperCase: true, lowerCase: true, number: true, symbol: true };
/** The same, with the longest that there is. */
export const longRegisteredClient = {
  ...registeredClient,
  ...longClient,
  documents: registeredClient.documents.map((document) => ({ ...document, host: longClient.host })),
};
