import assert from "node:assert/strict";
import { test } from "node:test";
import { chanceOf, isLong, testSeed } from "../support/data/random.ts";
import { faultsOf, type Protocol } from "../support/http/answers.ts";
import { RawConnection, type RawRequest, rawRequest } from "../support/http/raw-http.ts";
import { makeBuild } from "../support/servers/console-build.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";

/** One attack of so many, others each time; `npm run test:hostile` makes all of them. */
const sampling = isLong() ? 1 : 20;
const seed = testSeed();

const json = ["content-type", "application/json"] as const;
const form = ["content-type", "application/x-www-form-urlencoded"] as const;
type Attack = readonly [name: string, change: Partial<RawRequest>];

const deep = "[".repeat(100_000);
const bodies: readonly Attack[] = [
  ["half an object", { body: '{"a":', headers: [json] }],
  ["no JSON", { body: "a=1", headers: [json] }],
  ["a list", { body: "[]", headers: [json] }],
  ["null", { body: "null", headers: [json] }],
  ["a text", { body: '"x"', headers: [json] }],
  ["a number", { body: "1e999", headers: [json] }],
  ["a prototype", { body: '{"__proto__":{"x":1}}', headers: [json] }],
  ["a constructor", { body: '{"constructor":{"prototype":{"x":1}}}', headers: [json] }],
  ["a name twice", { body: '{"name":"a","name":"b"}', headers: [json] }],
  ["great depth", { body: deep, headers: [json] }],
  ["great depth of objects", { body: '{"a":'.repeat(100_000), headers: [json] }],
  ["bytes that are not UTF-8", { body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), headers: [json] }],
  ["a byte order mark", { body: "\ufeff{}", headers: [json] }],
  ["UTF-16", { body: Buffer.from("{}", "utf16le"), headers: [["content-type", "application/json; charset=utf-16"]] }],
  ["a form", { body: "a=1&a=2&b=%zz", headers: [form] }],
  ["a form with a broken escape", { body: "grant_type=%E0%A4%A", headers: [form] }],
  ["a form with NUL", { body: "grant_type=a%00b&csrf_token=%00", headers: [form] }],
  ["a form with a thousand parameters", { body: "a=1&".repeat(1000), headers: [form] }],
  ["XML", { body: "<a/>", headers: [["content-type", "text/xml"]] }],
  ["no content type", { body: "{}" }],
  ["two content types", { body: "{}", headers: [json, form] }],
  ["a content type that is none", { body: "{}", headers: [["content-type", "application/json;;;=,/"]] }],
  ["a file", { body: "--x\r\n\r\n--x--", headers: [["content-type", "multipart/form-data; boundary=x"]] }],
  ["a compressed body", { body: Buffer.from("1f8b0800", "hex"), headers: [json, ["content-encoding", "gzip"]] }],
  ["a declared length above the limit", { body: "{}", headers: [json, ["content-length", "1048577"]] }],
  ["an absurd length", { body: "{}", headers: [json, ["content-length", "99999999999999999999"]] }],
];

const queries: readonly string[] = [
  "a=%zz",
  "a=%E0%A4%A",
  "a=%00",
  "a=%ED%A0%80",
  "__proto__=1&constructor.prototype.x=1",
  "query.limit=abc&query.offset=-1",
  "query.limit=99999999999999999999&limit=1e9",
  "a=1&a=2&client_id=1&client_id=2&redirect_uri=x&redirect_uri=y",
  "&&&===&",
  `x=${"y".repeat(8000)}`,
  `${"a=1&".repeat(1000)}`,
  "authRequest=%00&id=%00&language=%00",
];

const headers: readonly Attack[] = [
  ["an empty bearer token", { headers: [["authorization", "Bearer "]] }],
  ["a bearer token of two words", { headers: [["authorization", "Bearer a b"]] }],
  ["an unknown scheme", { headers: [["authorization", "Negotiate x"]] }],
  ["broken Basic", { headers: [["authorization", "Basic %%%"]] }],
  ["Basic with broken escapes", { headers: [["authorization", `Basic ${btoa("%zz:%zz")}`]] }],
  ["Basic with NUL", { headers: [["authorization", `Basic ${btoa("a\0b:c\0d")}`]] }],
  ["a long bearer token", { headers: [["authorization", `Bearer ${"a".repeat(8000)}`]] }],
  [
    "two authorizations",
    {
      headers: [
        ["authorization", "Bearer a"],
        ["authorization", "Bearer b"],
      ],
    },
  ],
  ["an organization that nobody has", { headers: [["x-service-orgid", "a\u00e9\u00ff"]] }],
  ["a long organization", { headers: [["x-service-orgid", "9".repeat(8000)]] }],
  ["languages of no language", { headers: [["accept-language", ";;q=x,*;q=-1,\u00e9,de;q=9999"]] }],
  ["cookies that are none", { headers: [["cookie", "=;;doorward-browser=\u00ff; doorward-language=%; a"]] }],
  [
    "time-outs that are none",
    {
      headers: [
        ["connect-timeout-ms", "-1"],
        ["grpc-timeout", "9999999999H"],
      ],
    },
  ],
  [
    "an origin that is none",
    {
      headers: [
        ["origin", "null"],
        ["sec-fetch-site", "\u00ff"],
      ],
    },
  ],
  [
    "conditions that are none",
    {
      headers: [
        ["if-none-match", '"'],
        ["range", "bytes=9-1"],
        ["accept-encoding", "q=;br;q=x"],
      ],
    },
  ],
];

/** Values of a variable of a path, as they are sent. */
const variables = [
  "%00",
  "%zz",
  "%E0%A4%A",
  "%C0%AE%C0%AE",
  "..",
  "..%2F..%2Fetc",
  "%F0%9F%92%A9",
  "x".repeat(600),
  "%20",
  "'",
  "%22%3B--",
  "1".repeat(200),
  "%ED%A0%80",
  "__proto__",
];

/** What answers: a route with one of its methods, or a call by Connect. */
interface Endpoint {
  readonly method: string;
  /** With `:name` for variables. */
  readonly path: string;
  readonly protocol: Protocol;
}

function endpointsOf({ app }: TestServer): Endpoint[] {
  const { routes, methods } = app;
  return [
    ...routes.flatMap(({ methods: each, path, protocol }) => each.map((method) => ({ method, path, protocol }))),
    ...[...methods.keys()].map((name) => ({ method: "POST", path: `/${name}`, protocol: "connect" as const })),
  ];
}

/** Everything that is sent to an endpoint. */
function attacksOn(
  { method, path: pattern }: Endpoint,
  path: string,
): (readonly [name: string, request: RawRequest])[] {
  const inBody = method === "GET" ? [] : bodies;
  const inPath = path === pattern ? [] : variables;
  return [
    ...[...inBody, ...headers].map(([name, change]) => [name, { method, path, ...change }] as const),
    ...queries.map((query) => [`?${query.slice(0, 40)}`, { method, path: `${path}?${query}` }] as const),
    ...inPath.map((variable) => {
      const hostile = pattern.replace(/:\w+|\*/g, variable);
      return [`variable ${variable.slice(0, 20)}`, { method, path: hostile }] as const;
    }),
  ];
}

test("every route refuses invalid input in its own error format, and no input breaks the server", async (t) => {
  const server = await startServer(t, { consoleDirectory: makeBuild(t) });
  const owner = ["authorization", `Bearer ${server.ownerToken}`] as const;
  const faults = new Map<string, string[]>();
  let connection = await RawConnection.open(server.port);
  t.after(() => connection.close());

  const attack = async (endpoint: Endpoint, name: string, request: RawRequest): Promise<void> => {
    if (connection.isClosed) connection = await RawConnection.open(server.port);
    const lines = request.headers ?? [];
    const isApi = endpoint.protocol === "rest" || endpoint.protocol === "connect";
    const isSigned = !isApi || lines.some(([header]) => header === "authorization");
    connection.send(rawRequest({ ...request, headers: isSigned ? lines : [owner, ...lines] }));
    const answer = await connection.answer({ method: endpoint.method });
    if (answer === undefined || answer.headers.get("connection") === "close") connection.close();
    // A path that is broken has no route; its refusal is worded as on those that begin alike.
    const isPage = endpoint.protocol === "plain" && answer?.body.startsWith("<!") === true;
    // What cannot be read as HTTP has no path, and so one form of refusal for all.
    const isUnread = answer?.status === 400 && answer.body.includes('"request.malformed"');
    const protocol = isPage ? "page" : isUnread ? "rest" : endpoint.protocol;
    for (const fault of faultsOf(protocol, answer)) {
      const endpoints = faults.get(`${name}: ${fault}`) ?? [];
      faults.set(`${name}: ${fault}`, [...endpoints, `${endpoint.method} ${endpoint.path}`]);
    }
  };

  const chance = chanceOf(seed);
  let count = 0;
  for (const endpoint of endpointsOf(server)) {
    const path = endpoint.path.replace(/:\w+|\*/g, "1");
    // What is not built yet refuses everything in one place, so a few attacks on each will do.
    const isBuilt = (await server.rest(endpoint.method, path, { token: server.ownerToken })).status !== 501;
    const every = isBuilt ? sampling : 100;
    for (const [name, request] of attacksOn(endpoint, path)) {
      if (chance.below(every) > 0) continue;
      count++;
      await attack(endpoint, name, request);
    }
  }
  console.log(`${count} attacks, DOORWARD_TEST_SEED=${seed}`);
  assert.equal((await server.rest("GET", "/debug/healthz", { token: null })).status, 200);
  const told = [...faults].map(
    ([fault, endpoints]) => `${fault} (${endpoints.length}: ${endpoints.slice(0, 3).join(", ")})`,
  );
  assert.deepEqual(told, []);
  assert.equal((await server.rest("POST", "/v2/organizations/_search", { body: {} })).status, 200);
});
