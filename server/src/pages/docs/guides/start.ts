import { endpointPaths } from "../../../web/index.ts";
import { apiScope, type Guide } from "./guide.ts";

const usersPath = "/v2/users";

const token: Guide = {
  name: "token",
  part: "start",
  title: "Get a token",
  lead: "Every call carries a token as `Bearer` in the header `authorization`. Cookies never authenticate a call of the API, so a page that a user visits cannot call it in their name.",
  sections: [
    {
      title: "To look around: the console",
      text: [
        "“Try it” on the page of a method opens the request builder of the console. It calls with your own session: the token stays in the memory of that tab and is bound to a key of it, so there is nothing to copy.",
      ],
    },
    {
      title: "For a script: a personal access token",
      text: [
        "In the console, create a service account under Users, give it a role under Administrators, and create a personal access token on its page. It is shown once. `AddPersonalAccessToken` does the same.",
        "The examples of this reference read it from the variable `DOORWARD_TOKEN`.",
      ],
      call: {
        verb: "POST",
        path: usersPath,
        headers: { authorization: "Bearer $DOORWARD_TOKEN" },
        json: { pagination: { limit: 20 } },
      },
    },
    {
      title: "For a service: client credentials",
      text: [
        "A service account with a secret gets tokens that live for hours instead of months. Its client id is its username. Without the scope below, the token is for its own client and the API refuses it.",
      ],
      call: {
        verb: "POST",
        path: endpointPaths.token,
        headers: {},
        isByClient: true,
        form: [
          ["grant_type", "client_credentials"],
          ["scope", `openid ${apiScope}`],
        ],
      },
      answer: { access_token: "<value>", token_type: "Bearer", expires_in: 43_199, scope: `openid ${apiScope}` },
    },
    {
      title: "For a service without a shared secret: a key",
      text: [
        "A service account with a key signs an assertion (RFC 7523): `iss` and `sub` are its user id, `aud` is this issuer, `iat` is now, and `exp` is at most an hour later. The server holds only the public key.",
      ],
      call: {
        verb: "POST",
        path: endpointPaths.token,
        headers: {},
        form: [
          ["grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"],
          ["assertion", "$ASSERTION"],
          ["scope", `openid ${apiScope}`],
        ],
      },
    },
    {
      title: "For a user: an application",
      text: [
        `An application signs the user in with a code and PKCE, and asks for \`${apiScope}\` as well. The token then has the rights of the user, and no more than the application may have: one that an administrator of the instance trusts with the API (\`trustedForApi\`) has them all, and for every other one the user is asked for consent.`,
      ],
    },
  ],
};

const requests: Guide = {
  name: "requests",
  part: "start",
  title: "Requests and answers",
  lead: "Every method is served as gRPC, gRPC-Web and Connect at `/<service>/<method>`, and most as REST, all on one port.",
  sections: [
    {
      title: "REST and Connect",
      rows: [
        [
          "REST",
          "Requests take names in lowerCamelCase and snake_case, and 64-bit integers as numbers or text. Answers show every field, also when it is empty, and write 64-bit integers as numbers.",
        ],
        [
          "Connect",
          "`POST` with JSON to `/<service>/<method>`. Answers leave out what is empty and write 64-bit integers as text. The client of `@connectrpc/connect` works with the messages of `@doorward/api`.",
        ],
        ["gRPC, gRPC-Web", "On the same port, with server reflection."],
      ],
    },
    {
      title: "Values",
      rows: [
        ["date and time", "RFC 3339, such as `2026-03-14T09:26:53Z`."],
        ["duration", "Seconds with an `s`, such as `3600s`."],
        [
          "names of fields",
          "Paths with commas between them, such as `minLength,requiresNumber`: only these fields change.",
        ],
        ["base64", "Bytes. Both alphabets are read, with padding or without."],
      ],
    },
    {
      title: "Headers",
      rows: [
        ["authorization", "`Bearer` and the token; `DPoP` with a proof for a token that is bound to a key."],
        [
          "x-service-orgid",
          "Only in version 1: the organization in which the call acts, the caller's own by default. Version 2 has it in the message.",
        ],
        ["accept-language", "The language of the sentences in errors."],
        ["x-request-id", "In every answer: names the request in the log."],
      ],
    },
    {
      title: "Lists",
      text: [
        "`pagination` (version 1: `query`) takes `limit`, `offset` and `asc`. The answer has the total number of what the caller may see. A list shows what the caller may read, and nothing else: what they may not see is not counted either.",
      ],
      call: {
        verb: "POST",
        path: usersPath,
        headers: { authorization: "Bearer $DOORWARD_TOKEN" },
        json: { pagination: { limit: 20, offset: "0", asc: true } },
      },
    },
  ],
};

/** The guides that everyone needs first. */
export const startGuides: readonly Guide[] = [token, requests];
