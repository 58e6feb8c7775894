import { type Command, Option } from "commander";

/** Adds the options that say which server, and who asks. */
export const addServerOptions = (command: Command): Command =>
  command
    .option(
      "--server <address>",
      "address of the server; see `doorward login`. By default that of DOORWARD_BASE_URL, of `doorward dev`, or the only one that you are signed in to",
    )
    .addOption(new Option("--url <address>", "the former name of --server").hideHelp())
    .option("--token-file <file>", "file with a personal access token; by default DOORWARD_TOKEN, or your sign-in");
