import { parseMessage } from "./placeholders.ts";

// Characters for private use stand for a code, and for anything else that is filled in.
const code = "\uE001";
const other = "\uE002";
const domain = "\uE003";

/**
 * Whether a text would put a code into a web address, also into one that mail programs make of plain text
 * (`portal.example/{{.Code}}`), or join it to other values, which can be addresses. A user who follows such a link
 * gives the code away, because the server at the address gets it. The same holds for a line that binds a code to
 * another domain than that of the instance: the browser of the user then offers the code there.
 */
export function hasCodeInAddress(words: string): boolean {
  const filled = parseMessage(words)
    .map((piece) => ("words" in piece ? piece.words : (standIns[piece.placeholder] ?? other)))
    .join("");
  return hasCodeInRun(filled.replaceAll(domain, other)) || bindsCode(filled);
}

const standIns: Readonly<Record<string, string>> = { Code: code, OTP: code, Domain: domain };

function hasCodeInRun(filled: string): boolean {
  // Mail programs differ in what ends an address, so only what ends one everywhere ends it here. Characters count as
  // what an address makes of them: full-width ones like their plain forms (UTS #46, section 4).
  const runs = filled.split(/[ \t\r\n]+/).map((run) => run.normalize("NFKC"));
  return runs.some((run) => run.includes(code) && (run.includes(other) || address.test(run) || hasTopLevelDomain(run)));
}

// A line `@domain #code` binds a code to a domain (WICG origin-bound one-time codes). Programs read such lines with
// more or less care, so any line with "@", or with a value that may contain it, beside a "#" with the code counts. Only
// the line of the built-in texts names the domain of the instance and nothing else.
const bindsCode = (filled: string): boolean =>
  filled
    .split(/[\r\n]+/)
    .map((line) => line.normalize("NFKC").trim())
    .some((line) => line !== `@${domain} #${code}` && /#\S*\uE001/u.test(line) && /[@\uE002\uE003]/u.test(line));

// U+3002 separates labels as well (UTS #46, section 2.3); U+FF0E and U+FF61 are in NFKC already. Where Chinese or
// Japanese follows, it ends a sentence.
const address =
  /[/@]|\.[\p{L}\p{N}\uE001]|\u3002(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\uE001]/u;

// The top-level domains of the root zone in Han or Kana. No sentence consists of one of them, and the holder of a name
// below one reads a code that is a label of it.
const topLevelDomains: ReadonlySet<string> = new Set(
  [
    "中国 中國 中信 中文网 企业 佛山 信息 健康 八卦 公司 公益 台湾 台灣 商城 商店 商标 嘉里 嘉里大酒店 在线 大众汽车 大拿",
    "天主教 娱乐 家電 广东 微博 慈善 我爱你 手机 招聘 政务 政府 新加坡 新闻 时尚 書籍 机构 淡马锡 游戏 澳門 澳门 点看",
    "珠宝 移动 組織機構 组织机构 网址 网店 网站 网络 網絡 联通 臺灣 诺基亚 谷歌 购物 通販 集团 電訊盈科 飞利浦 食品 餐厅",
    "香格里拉 香港 世界 亚马逊 工行 一号店 手表 アマゾン クラウド グーグル コム ストア セール ファッション ポイント みんな",
  ].flatMap((names) => names.split(" ")),
);

const hasTopLevelDomain = (run: string): boolean =>
  run
    .split("\u3002")
    .slice(1)
    .some((label) => topLevelDomains.has(label.split(/[:?#]/, 1)[0] ?? ""));
