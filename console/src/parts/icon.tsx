/** Outlines on a grid of 24, drawn with the color of the text. */
const outlines = {
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  application: "M4 5h16v14H4zM4 9h16M7 7h.01",
  project: "M4 7l8-4 8 4v10l-8 4-8-4zM4 7l8 4 8-4M12 11v10",
  users: "M9 11a4 4 0 100-8 4 4 0 000 8zM2 21c0-4 3-7 7-7s7 3 7 7M16 3a4 4 0 010 8M18 14c2.500.8 4 3.500 4 7",
  organization: "M4 21V5l8-3v19M12 9l8 3v9M2 21h20M8 8h.01M8 12h.01M8 16h.01M16 15h.01M16 18h.01",
  administrator: "M12 3l8 3v6c0 5-3.500 8-8 9-4.500-1-8-4-8-9V6zM9 12l2 2 4-4",
  signIn: "M14 4h6v16h-6M3 12h11M10 8l4 4-4 4",
  appearance:
    "M12 3a9 9 0 000 18c2 0 2-1.500 1.500-2.500C13 17 13.500 16 15 16h3a3 3 0 003-3c0-5.500-4-10-9-10zM7 12h.01M9 8h.01M14 7h.01",
  message: "M3 6h18v12H3zM3 7l9 7 9-7",
  automation: "M13 2L5 14h6l-1 8 8-12h-6z",
  activity: "M3 12h4l3-8 4 16 3-8h4",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4",
  tools: "M4 20l6-6M14 4a5 5 0 016 6l-3-3-2 2 3 3a5 5 0 01-6-6",
  search: "M11 18a7 7 0 100-14 7 7 0 000 14zM16 16l5 5",
  plus: "M12 5v14M5 12h14",
  more: "M4.500 12a.5.5 0 101 0 .5.5 0 10-1 0M11.500 12a.5.5 0 101 0 .5.5 0 10-1 0M18.500 12a.5.5 0 101 0 .5.5 0 10-1 0",
  circle: "M12 20a8 8 0 100-16 8 8 0 000 16z",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12l5 5 9-10",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  back: "M15 5l-7 7 7 7",
  down: "M6 9l6 6 6-6",
  up: "M6 15l6-6 6 6",
  menu: "M4 6h16M4 12h16M4 18h16",
  warning: "M12 3l10 18H2zM12 10v5M12 18h.01",
  key: "M15 9a5 5 0 10-4 4.900L13 16h2v2h2v2h4v-4l-6.200-6.200",
  code: "M8 6l-6 6 6 6M16 6l6 6-6 6",
  service: "M4 5h16v6H4zM4 13h16v6H4zM7 8h.01M7 16h.01",
  group:
    "M7 12a3 3 0 100-6 3 3 0 000 6zM17 12a3 3 0 100-6 3 3 0 000 6zM2 19c0-3 2-5 5-5s5 2 5 5M12 19c0-3 2-5 5-5s5 2 5 5",
} as const;

export type IconName = keyof typeof outlines;

/** A decoration beside a text that says the same. It is hidden from assistive technology. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true" focusable="false">
    <path d={outlines[name]} />
  </svg>
);
