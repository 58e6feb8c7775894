import type { PageRoute } from "../../page-route.ts";

export const appearancePages: readonly PageRoute[] = [
  { path: "/settings/branding", load: async () => (await import("./branding.tsx")).BrandingPage },
  { path: "/settings/texts", load: async () => (await import("./page-texts.tsx")).PageTextsPage },
  { path: "/settings/texts/messages", load: async () => (await import("./message-texts.tsx")).MessageTextsPage },
  { path: "/settings/languages", load: async () => (await import("./languages.tsx")).LanguagesPage },
];
