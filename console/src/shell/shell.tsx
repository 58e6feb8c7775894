import { useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Toasts } from "../parts/toast.tsx";
import { t } from "../text/catalogue.ts";
import { useMyMemberships, useOrganizationId } from "./access.ts";
import { areas } from "./areas.ts";
import { useKeptFocus } from "./kept-focus.ts";
import { ScopeSwitcher } from "./scope-switcher.tsx";
import { keyOf, useShortcuts } from "./shortcuts.ts";
import { UserMenu } from "./user-menu.tsx";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));
const ShortcutDialog = lazy(async () => ({ default: (await import("./shortcut-dialog.tsx")).ShortcutDialog }));

/** What surrounds every page: the scope, the search, the user's menu and the navigation. */
export function Shell() {
  const [isNavigationOpen, setNavigationOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [hasSingleKeys, setSingleKeys] = useState(true);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const memberships = useMyMemberships();
  // What was read for one organization is never shown for another.
  const organizationId = useOrganizationId();
  const queries = useQueryClient();
  // A call that is repeated later would be sent for the other organization, and its answer kept for the former one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the organization changes
  useEffect(() => () => void queries.cancelQueries(), [queries, organizationId]);
  useShortcuts({
    openPalette: () => setPaletteOpen(true),
    openHelp: () => setHelpOpen(true),
    hasSingleKeys,
  });
  useFocusOnPage(path);
  useKeptFocus();
  // On a phone the navigation covers the page, so it closes when a page was chosen.
  const [formerPath, setFormerPath] = useState(path);
  if (formerPath !== path) {
    setFormerPath(path);
    setNavigationOpen(false);
  }
  return (
    <>
      <a className="skip" href="#content">
        {t("shell.skip")}
      </a>
      <header className="top-bar">
        <span className="navigation-button">
          <IconButton
            icon="menu"
            label={t("shell.navigation")}
            aria-expanded={isNavigationOpen}
            aria-controls="navigation"
            onClick={() => setNavigationOpen(!isNavigationOpen)}
          />
        </span>
        <Link to="/" className="brand">
          Doorward
        </Link>
        <ScopeSwitcher />
        <button type="button" className="search-button" onClick={() => setPaletteOpen(true)}>
          <Icon name="search" />
          <span>{t("palette.label")}</span>
          <kbd>{keyOf("K")}</kbd>
        </button>
        <UserMenu onShortcuts={() => setHelpOpen(true)} />
      </header>
      <Navigation isOpen={isNavigationOpen} />
      <main id="content" tabIndex={-1}>
        {memberships?.length === 0 ? (
          <p className="notice info">{t("access.nothing")}</p>
        ) : (
          <Outlet key={organizationId} />
        )}
      </main>
      {isPaletteOpen && (
        <Suspense fallback={null}>
          <Palette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
      {isHelpOpen && (
        <Suspense fallback={null}>
          <ShortcutDialog
            hasSingleKeys={hasSingleKeys}
            onSingleKeys={setSingleKeys}
            onClose={() => setHelpOpen(false)}
          />
        </Suspense>
      )}
      <Toasts />
    </>
  );
}

/** The areas of the console; on a phone they are shown on demand. */
const Navigation = ({ isOpen }: { readonly isOpen: boolean }) => (
  <nav id="navigation" className={isOpen ? "navigation open" : "navigation"} aria-label={t("shell.navigation")}>
    <ul>
      {areas.map((area) => (
        <li key={area.to}>
          <Link to={area.to as "/"} activeOptions={{ exact: area.to === "/", includeSearch: false }}>
            <Icon name={area.icon} />
            {t(area.text)}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);

// A change of the page is not a load of a document, so the title of the new page takes the focus.
function useFocusOnPage(path: string): void {
  const former = useRef(path);
  useEffect(() => {
    if (former.current === path) return;
    former.current = path;
    scrollTo(0, 0);
    const heading = document.querySelector<HTMLElement>("main h1") ?? document.querySelector<HTMLElement>("main");
    heading?.focus({ preventScroll: true });
  }, [path]);
}
