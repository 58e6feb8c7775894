import type { IconName } from "../parts/icon.tsx";
import type { TextKey } from "../text/catalogue.ts";

interface Area {
  readonly to: string;
  readonly text: TextKey;
  readonly icon: IconName;
  /** Only about the whole instance. */
  readonly isOfInstance?: boolean;
  /** Keys that lead there, after `g`. */
  readonly key: string;
}

/** The entries of the navigation, in its order. */
export const areas: readonly Area[] = [
  { to: "/", text: "nav.home", icon: "home", key: "h" },
  { to: "/applications", text: "nav.applications", icon: "application", key: "a" },
  { to: "/projects", text: "nav.projects", icon: "project", key: "p" },
  { to: "/users", text: "nav.users", icon: "users", key: "u" },
  { to: "/organizations", text: "nav.organizations", icon: "organization", key: "o" },
  { to: "/administrators", text: "nav.administrators", icon: "administrator", key: "d" },
  { to: "/automation", text: "nav.automation", icon: "automation", key: "m" },
  { to: "/settings", text: "nav.settings", icon: "settings", key: "s" },
  { to: "/activity", text: "nav.activity", icon: "activity", key: "l" },
  { to: "/tools", text: "nav.tools", icon: "tools", key: "t" },
];
