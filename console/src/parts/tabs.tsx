import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

interface TabsProps {
  readonly label: string;
  /** Each tab is a page with an address of its own; the parameters of the present page are kept. */
  readonly tabs: readonly { readonly to: string; readonly label: string; readonly exact?: boolean }[];
}

/**
 * Links to the pages about one thing. They are links and not ARIA tabs, because each has its own address.
 * Where there is little room they scroll sideways, and the present one is in view.
 */
export function Tabs({ label, tabs }: TabsProps) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    const strip = element.current;
    const present = strip?.querySelector<HTMLElement>("[aria-current]");
    if (strip && present) strip.scrollLeft = present.offsetLeft - (strip.clientWidth - present.offsetWidth) / 2;
  }, []);
  return (
    <nav ref={element} className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to as "/"} activeOptions={{ exact: tab.exact ?? false, includeSearch: false }}>
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
