import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import type { TestContext } from "node:test";
import { SMTPServer } from "smtp-server";
import { testCertificate } from "./test-certificate.ts";

/** A mail as the server took it. */
interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Header and body as they came. */
  readonly raw: string;
  /** Value of a header, its folding undone. */
  header(name: string): string | undefined;
  readonly isSecure: boolean;
  /** Who was logged in. */
  readonly user: string | undefined;
}

/** A foreign mail server. Names that begin with `refused` are refused, wherever they stand. */
export interface MailServer {
  readonly port: number;
  /** `localhost:<port>` */
  readonly host: string;
  readonly received: ReceivedMail[];
  /** Attempts to log in: `PLAIN login correct`. */
  readonly logins: string[];
  readonly connections: number;
  /** The reply to a mail from now on; undefined when it is accepted. */
  refusal: { readonly status: number; readonly text: string } | undefined;
  /** Called when a mail has arrived; the reply waits for it. */
  hold: () => Promise<void>;
  /** Called when a recipient is named; the reply waits for it. */
  holdEnvelope: () => Promise<void>;
  /** Closes every connection silently; never resolves, so that nothing is answered either. */
  hangUp(): Promise<void>;
}

export interface MailServerOptions {
  /** `none` (no TLS at all), `starttls` or `implicit`. */
  readonly tls?: "none" | "starttls" | "implicit";
  /** The only login that it accepts; without one it asks for none. */
  readonly login?: { readonly user: string; readonly password?: string; readonly accessToken?: string };
}

/** Starts a mail server on the loopback address; it stops after the test. */
export async function startMailServer(t: TestContext, options: MailServerOptions = {}): Promise<MailServer> {
  const { tls = "none", login } = options;
  const received: ReceivedMail[] = [];
  const logins: string[] = [];
  const state: Pick<MailServer, "refusal" | "hold" | "holdEnvelope"> = {
    refusal: undefined,
    hold: async () => {},
    holdEnvelope: async () => {},
  };
  const sockets = new Set<Socket>();
  const hangUp = (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    return new Promise(() => {});
  };
  const made = Object.assign(state, { hangUp, port: 0, host: "", received, logins, connections: 0 });
  const server = new SMTPServer({
    ...testCertificate,
    secure: tls === "implicit",
    disabledCommands: [...(tls === "starttls" ? [] : ["STARTTLS"]), ...(login === undefined ? ["AUTH"] : [])],
    authMethods: login?.accessToken === undefined ? ["PLAIN", "LOGIN"] : ["XOAUTH2"],
    allowInsecureAuth: tls === "none",
    authOptional: login === undefined,
    logger: false,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect: (_session, answer) => {
      made.connections++;
      answer();
    },
    onAuth: ({ method, username = "", password, accessToken }, _session, answer) => {
      const isRight = username === login?.user && password === login.password && accessToken === login.accessToken;
      logins.push(`${method} ${username} ${isRight ? "right" : "wrong"}`);
      if (isRight) answer(null, { user: username });
      else answer(refuse(535, "5.7.8 inner secret 4711"));
    },
    onMailFrom: ({ address }, _session, answer) =>
      address.startsWith("refused") ? answer(refuse(550, "5.7.1 inner secret 4711")) : answer(),
    onRcptTo: ({ address }, _session, answer) =>
      void made
        .holdEnvelope()
        .then(() => (address.startsWith("refused") ? answer(refuse(550, "5.1.1 inner secret 4711")) : answer())),
    onData: (stream, session, answer) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        void made.hold().then(() => {
          if (made.refusal !== undefined) return answer(refuse(made.refusal.status, made.refusal.text));
          const raw = Buffer.concat(chunks).toString("utf8");
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            from: mailFrom === false ? "" : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            raw,
            header: (name) => headerOf(raw, name),
            isSecure: session.secure,
            user: typeof session.user === "string" ? session.user : undefined,
          });
          return answer();
        });
      });
    },
  });
  // A client that goes away in the middle is what some tests are about.
  server.on("error", () => {});
  server.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  t.after(() => new Promise<void>((resolve) => server.close(resolve)));
  made.port = (server.server.address() as AddressInfo).port;
  made.host = `localhost:${made.port}`;
  return made;
}

function headerOf(raw: string, name: string): string | undefined {
  const head = raw.slice(0, raw.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
  const line = head.split("\r\n").find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line?.slice(name.length + 1).trim();
}

const refuse = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode });
