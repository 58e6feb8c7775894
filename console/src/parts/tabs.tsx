import { Link } from "@tanstack/react-router";

interface TabsProps {
  readonly label: string;
  /** Each tab is a page with an address of its own; the parameters of the present page are kept. */
  readonly tabs: readonly { readonly to: string; readonly label: string; readonly exact?: boolean }[];
}

/** Links to the pages about one thing. They are links and not ARIA tabs, because each has its own address. */
export const Tabs = ({ label, tabs }: TabsProps) => (
  <nav className="tabs" aria-label={label}>
    {tabs.map((tab) => (
      <Link key={tab.to} to={tab.to as "/"} activeOptions={{ exact: tab.exact ?? false, includeSearch: false }}>
        {tab.label}
      </Link>
    ))}
  </nav>
);
