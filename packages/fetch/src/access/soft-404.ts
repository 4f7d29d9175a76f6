// Tests whether an error page is clearly a "not found" page, by its beginning. Pure, in linear time.

/** A longer page of plain text is about more than a missing page, so it is ignored. */
const maxPlainChars = 1_000;

const decoder = new TextDecoder("utf-8");

/** English phrases in the titles and headings of "not found" pages. Phrases in other languages are below. */
const notFound =
  /\b404\b|\bnot[ -]found\b|\b(?:does|do|did)(?: not|n[\u0027\u2019]t) exist\b|\bno longer (?:exists|available)\b|\b(?:no such|can(?:not|[\u0027\u2019]t) find(?: the| this| that)?) page\b/i;

/**
 * Searches the title and the headings (h1, h2) of an HTML page, or the whole of a short plain text; the body text of an HTML page is
 * ignored. Returns false when these texts also mention a server error, an overload or maintenance (500 to 504, "unavailable").
 */
export function saysNotFound(body: Uint8Array): boolean {
  if (body.length === 0) return false;
  const text = decoder.decode(body.subarray(0, 65_536));
  const places = /<(?:!doctype|html|head|body|title|h[12])\b/i.test(text) ? headingsOf(text) : plainOf(text);
  const isMissing = places.some((place) => notFound.test(place) || hasNotFoundPhrase(place));
  return isMissing && !places.some((place) => trouble.test(place));
}

const trouble =
  /\b50[0-4]\b|\b(?:unavailable|overload|maintenance|internal server error|bad gateway|time-?out|timed out)/i;

function plainOf(text: string): readonly string[] {
  return text.length <= maxPlainChars ? [text] : [];
}

/** The texts of titles and headings, found by searching forward only, in linear time. */
function headingsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const found: string[] = [];
  for (const name of ["title", "h1", "h2"]) {
    for (let at = lower.indexOf(`<${name}`); at !== -1 && found.length < 20; at = lower.indexOf(`<${name}`, at)) {
      const start = lower.indexOf(">", at);
      const end = start === -1 ? -1 : lower.indexOf(`</${name}`, start);
      if (end === -1) break;
      found.push(text.slice(start + 1, Math.min(end, start + 500)).replaceAll(/<[^<>]{0,200}>/g, " "));
      at = end;
    }
  }
  return found;
}

/** The phrases of one language. */
export interface NotFoundPhrases {
  /** The language (RFC 5646). */
  readonly language: string;
  /** In the form that `comparableOf` returns: in lower case and NFC, with single spaces. */
  readonly phrases: readonly string[];
  readonly source: string;
}

const google = (language: string): string =>
  `Google, How Google interprets the robots.txt specification (${language}): the example of such a page`;
const django = (language: string): string => `Django 5.2, the page 404.html of the admin in locale/${language}`;

/** One row per language. */
export const notFoundPhrases: readonly NotFoundPhrases[] = [
  {
    language: "zh-Hans",
    phrases: ["找不到网页", "页面没有找到", "页面不存在"],
    source: `${google("zh-cn")}; ${django("zh_Hans")}`,
  },
  { language: "zh-Hant", phrases: ["找不到頁面", "頁面不存在"], source: django("zh_Hant") },
  {
    language: "fa",
    phrases: ["صفحه یافت نشد", "صفحه مورد تقاضا یافت نشد"],
    source: `${google("fa")}; ${django("fa")}`,
  },
  {
    language: "ru",
    phrases: ["страница не найдена"],
    source: `${google("ru")}; ${django("ru")}`,
  },
  { language: "uk", phrases: ["сторінка не знайдена", "сторінку не знайдено"], source: django("uk") },
  { language: "bg", phrases: ["страница не е намерена"], source: django("bg") },
  { language: "de", phrases: ["seite nicht gefunden", "seite konnte nicht gefunden werden"], source: django("de") },
  { language: "fr", phrases: ["page non trouvée", "page demandée est introuvable"], source: django("fr") },
  { language: "es", phrases: ["página no encontrada", "no se pudo encontrar la página"], source: django("es") },
  {
    language: "pt",
    phrases: ["página não encontrada", "página solicitada não foi encontrada"],
    source: `${django("pt")}; ${django("pt_BR")}`,
  },
  { language: "it", phrases: ["pagina non trovata", "pagina richiesta non è stata trovata"], source: django("it") },
  { language: "nl", phrases: ["pagina niet gevonden", "pagina kon niet worden gevonden"], source: django("nl") },
  { language: "pl", phrases: ["strona nie została znaleziona"], source: django("pl") },
  { language: "cs", phrases: ["stránka nenalezena"], source: django("cs") },
  { language: "sv", phrases: ["sidan kunde inte hittas"], source: django("sv") },
  { language: "da", phrases: ["siden blev ikke fundet"], source: django("da") },
  { language: "fi", phrases: ["sivua ei löydy", "sivua ei löytynyt"], source: django("fi") },
  { language: "hu", phrases: ["nincs ilyen oldal", "oldal nem található"], source: django("hu") },
  { language: "tr", phrases: ["sayfa bulunamadı"], source: django("tr") },
  { language: "el", phrases: ["η σελίδα δεν βρέθηκε"], source: django("el") },
  { language: "ar", phrases: ["تعذر العثور على الصفحة"], source: django("ar") },
  { language: "he", phrases: ["דף לא קיים"], source: django("he") },
  {
    language: "ja",
    phrases: ["ページが見つかりません", "ページは見つかりませんでした"],
    source: django("ja"),
  },
  { language: "ko", phrases: ["페이지를 찾을 수 없습니다"], source: django("ko") },
  { language: "vi", phrases: ["không tìm thấy trang", "không thể tìm thấy trang"], source: django("vi") },
  { language: "id", phrases: ["laman tidak ditemukan"], source: django("id") },
  { language: "th", phrases: ["ไม่พบหน้านี้"], source: django("th") },
];

const allPhrases: readonly string[] = notFoundPhrases.flatMap(({ phrases }) => phrases);

/** Whether a text contains one of the phrases. Linear in the text. */
function hasNotFoundPhrase(text: string): boolean {
  const comparable = comparableOf(text);
  return allPhrases.some((phrase) => comparable.includes(phrase));
}

/**
 * Converts a text to lower case and NFC, with single spaces. Removes the marks that Arabic, Persian and Hebrew texts may leave out, and
 * replaces the Arabic letters that many keyboards write in place of Persian letters.
 */
export function comparableOf(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[\u0591-\u05bd\u064b-\u0652\u0640\u200c-\u200f]/g, "")
    .replaceAll("\u064a", "\u06cc")
    .replaceAll("\u0643", "\u06a9")
    .replaceAll(/\s+/g, " ");
}
