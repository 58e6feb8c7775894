import type { ReactNode } from "react";

interface DangerRowProps {
  readonly title: string;
  /** One sentence about what the action does. */
  readonly text: string;
  /** Why the action cannot be taken; its button is disabled then. */
  readonly reason?: string | undefined;
  /** The button. */
  readonly children: ReactNode;
}

/** One action of a danger zone: what it is called, what it does, why it is not possible, and its button. */
export const DangerRow = ({ title, text, reason, children }: DangerRowProps) => (
  <div className="danger-row">
    <div>
      <h3>{title}</h3>
      <p className="muted">{text}</p>
      {reason !== undefined && <p className="read-only small">{reason}</p>}
    </div>
    {children}
  </div>
);
