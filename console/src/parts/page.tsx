import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { linkTo } from "../address.ts";
import { callsOfPage } from "../api/calls.ts";
import { ApiButton } from "./api-button.tsx";
import { Icon } from "./icon.tsx";

interface PageProps {
  readonly title: string;
  /** One sentence about what the page is for. */
  readonly lead?: ReactNode;
  /** Where the page belongs, as a link above its title. */
  readonly parent?: { readonly to: string; readonly label: string };
  /** Buttons beside the title; the primary one last. */
  readonly actions?: ReactNode;
  /** Words about the state of what is shown, beside its name. */
  readonly badges?: ReactNode;
  readonly tabs?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page: its title, which is also that of the document, its actions and its content. */
export function Page({ title, lead, parent, actions, badges, tabs, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Doorward`;
  }, [title]);
  return (
    <article className="page">
      <header className="page-header">
        {parent && (
          <Link {...linkTo(parent.to)} className="parent">
            <Icon name="back" />
            {parent.label}
          </Link>
        )}
        <div className="page-title">
          <h1 tabIndex={-1}>{title}</h1>
          {badges}
          <div className="page-actions">
            <ApiButton calls={() => callsOfPage()} />
            {actions}
          </div>
        </div>
        {lead && <p className="muted">{lead}</p>}
        {tabs}
      </header>
      {children}
    </article>
  );
}

/** A part of a page with a title of its own. */
export const Section = (props: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) => (
  <section className="section">
    <header className="section-header">
      <h2>{props.title}</h2>
      {props.actions && <div className="page-actions">{props.actions}</div>}
    </header>
    {props.lead && <p className="muted">{props.lead}</p>}
    {props.children}
  </section>
);

/** Names and values, such as the facts about a user. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value === "" || value === undefined ? <span className="muted">–</span> : value}</dd>
      </div>
    ))}
  </dl>
);

/** What an empty list shows: one sentence, and the next step. */
export const Empty = ({ children, action }: { readonly children: ReactNode; readonly action?: ReactNode }) => (
  <div className="empty">
    <p>{children}</p>
    {action}
  </div>
);
