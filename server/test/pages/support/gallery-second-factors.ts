import { href } from "../../../src/html/index.ts";
import * as views from "../../../src/pages/login/index.ts";
import { type GalleryView, ofView } from "./gallery-view.ts";

const to = href("/ui/login");
const client = { name: "Acme Shop", host: "shop.acme.example" };
const ada = { loginName: "ada@acme.example" };
const long = {
  loginName: "maximiliane.freifrau.von.und.zu.hohenstein@vertrieb.niederrheinische-verkehrsgesellschaft.example",
};
const ceremony = { action: to, challengeAction: to };
const common = { client, loginName: ada.loginName, changeHref: to };
const totpSecret = {
  secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  uri: "otpauth://totp/Acme:ada%40acme.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Acme",
};
const forgottenView = ofView("forgotten", views.forgottenPage);
const keyView = ofView("key", views.keyPage);
const secondFactorView = ofView("second-factor", views.secondFactorPage);
const methodsView = ofView("methods", views.methodsPage);
const addFactorView = ofView("add-factor", views.addFactorPage);

const forgottenSent = {
  step: "sent",
  loginName: ada.loginName,
  changeHref: to,
  action: to,
  resend: { action: to, wait: 42_000 },
  backHref: to,
} as const;

/** What comes after a name or a password: passkeys, second factors, and a password that was forgotten. */
export const secondFactorViews: readonly GalleryView[] = [
  forgottenView("default", () => ({ ...common, step: "ask", action: to })),
  forgottenView("error", (context) => ({
    step: "name",
    loginName: "",
    action: to,
    backHref: to,
    errors: [{ field: "login_name", message: context.say("login_name.missing") }],
  })),
  forgottenView("sent", () => ({ ...forgottenSent, code: "" })),
  forgottenView("sent-error", (c) => ({
    ...forgottenSent,
    code: "A1B2C3",
    errors: [{ field: "code", message: c.say("password.wrong") }],
  })),
  keyView("default", () => ({ client, ceremony, otherHref: to })),
  keyView("error", (c) => ({
    client,
    ceremony,
    otherHref: to,
    errors: [{ message: c.say("key.cancelled") }],
  })),
  secondFactorView("default", () => ({ ...common, kind: "totp", action: to, methodsHref: to })),
  secondFactorView("error", (c) => ({
    ...common,
    kind: "totp",
    action: to,
    methodsHref: to,
    errors: [{ field: "code", message: c.say("password.wrong") }],
  })),
  secondFactorView("sent", () => ({
    ...common,
    kind: "otp_email",
    action: to,
    sent: { action: to, wait: 23_000, recipient: "a…@acme.example" },
    methodsHref: to,
  })),
  secondFactorView("recovery", () => ({ ...common, kind: "recovery_codes", action: to, methodsHref: to })),
  secondFactorView("key", () => ({ ...common, kind: "key", ceremony, methodsHref: to })),
  secondFactorView("only", () => ({ ...common, kind: "otp_sms", action: to, methodsHref: to, isOnly: true })),
  secondFactorView("none", () => ({ ...common, loginName: long.loginName, kind: "none", methodsHref: to })),
  methodsView("default", () => ({
    ...common,
    methods: [
      { kind: "key", href: to },
      { kind: "totp", href: to },
      { kind: "otp_sms", sendAction: to },
      { kind: "otp_email", sendAction: to },
      { kind: "recovery_codes", href: to },
    ],
  })),
  methodsView("stuck", () => ({ ...common, methods: [{ kind: "totp", href: to }] })),
  addFactorView("recovery", () => ({
    ...common,
    step: "recovery",
    codes: ["ABCD-EFGH-JKLM-NPQR", "STUV-WXYZ-2345-6789"],
    nextHref: to,
  })),
  addFactorView("default", () => ({
    ...common,
    step: "choose",
    action: to,
    kinds: ["key", "totp", "otp_sms", "otp_email"],
  })),
  addFactorView("offer", () => ({ ...common, step: "choose", action: to, kinds: ["key", "totp"], skipAction: to })),
  addFactorView("none", () => ({ ...common, step: "choose", action: to, kinds: [] })),
  addFactorView("totp", () => ({
    ...common,
    step: "totp",
    action: to,
    totp: totpSecret,
    ticket: "sealed",
    backHref: to,
  })),
  addFactorView("error", (c) => ({
    ...common,
    step: "totp",
    action: to,
    totp: totpSecret,
    ticket: "sealed",
    backHref: to,
    errors: [{ field: "code", message: c.say("password.wrong") }],
  })),
  addFactorView("refused", (c) => ({
    ...common,
    step: "choose",
    action: to,
    kinds: ["key", "totp"],
    skipAction: to,
    errors: [{ message: c.say("key.cancelled") }],
  })),
  addFactorView("present", () => ({ ...common, step: "present", action: to })),
  addFactorView("code", () => ({
    ...common,
    step: "code",
    kind: "otp_email",
    action: to,
    recipient: "a…@acme.example",
    backHref: to,
    resend: { action: to, wait: 23_000 },
  })),
  addFactorView("code-error", (c) => ({
    ...common,
    step: "code",
    kind: "otp_sms",
    action: to,
    recipient: "+41…67",
    backHref: to,
    loginName: long.loginName,
    resend: { action: to, wait: 0 },
    errors: [{ field: "code", message: c.say("setup.code_wrong") }],
  })),
  addFactorView("key", () => ({
    ...common,
    step: "key",
    action: to,
    ticket: "sealed",
    backHref: to,
    options: '{"publicKey":{"excludeCredentials":[]}}',
  })),
];
