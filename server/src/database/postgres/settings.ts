import pg, { type ClientConfig } from "pg";
import { seconds } from "../../base/clock.ts";

/** How long a caller waits for a connection. */
const acquireMilliseconds = seconds(5);
/** How long the server may work on one statement. */
const statementMilliseconds = seconds(30);

// Types that are returned as numbers, as SQLite does: int8, numeric (sums of int8), bool.
const bool = 16;
const int8 = 20;
const numeric = 1700;
const types = { getTypeParser: typeParserOf as typeof pg.types.getTypeParser };

/** Returns what makes a value of a type out of the server's text. */
export function typeParserOf(oid: number): (text: string) => unknown {
  if (oid === int8 || oid === numeric) return Number;
  if (oid === bool) return (value: string) => (value === "t" ? 1 : 0);
  return pg.types.getTypeParser(oid, "text");
}

/**
 * Returns the settings of every connection to the server. Options in the address (`?options=-c …`) come before ours:
 * `pg` would take them instead, and with them no limit of ours.
 */
export function clientSettings(url: string): ClientConfig {
  const { connectionString, options } = separateOptions(url);
  return {
    connectionString,
    application_name: "doorward",
    connectionTimeoutMillis: acquireMilliseconds,
    statement_timeout: statementMilliseconds,
    idle_in_transaction_session_timeout: statementMilliseconds,
    // The server's own time-out comes first; this one detects a server that vanished silently.
    query_timeout: statementMilliseconds + seconds(2),
    // Statements are answered in milliseconds; JIT compilation of those with a high estimated cost takes longer.
    options: `${options} -c jit=off`.trimStart(),
    keepAlive: true,
    keepAliveInitialDelayMillis: seconds(10),
    types,
  };
}

/**
 * Returns the settings of connections that read by key. Without statistics, or with those of a small table, the planner
 * finds any order of joins as good as any other, and may begin with all rows of an instance. Here it joins in the order
 * in which a statement is written, which begins with the key, and looks each row up by an index.
 */
export function keyedSettings(settings: ClientConfig): ClientConfig {
  const { options = "" } = settings;
  return {
    ...settings,
    options: `${options} -c join_collapse_limit=1 -c enable_seqscan=off -c random_page_cost=1.1`.trimStart(),
  };
}

// By its text: an address that names a socket is none for `URL`.
function separateOptions(url: string): { readonly connectionString: string; readonly options: string } {
  const [address = "", query] = url.split(/\?(.*)/s, 2);
  if (query === undefined) return { connectionString: url, options: "" };
  const parameters = new URLSearchParams(query);
  const options = parameters.getAll("options").join(" ");
  if (options === "") return { connectionString: url, options };
  parameters.delete("options");
  return { connectionString: parameters.size === 0 ? address : `${address}?${parameters}`, options };
}
