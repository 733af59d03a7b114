/** Names of the controls of lists, in the languages that most of the web is written in. */

const WORDS = {
  next: `next|next page|nextpage|next results|older|older posts|older entries|older articles|older news|older stories|older topics|older reviews|earlier|earlier posts|older items|next entries|next posts|next articles|next items|next set|nxt|nächste einträge|vor|weitere|suiv|succ|próx|prox|próximos|sig|siguiente página|seguintes|volg|verder|trang kế|kế tiếp|trang tiếp|trang kế tiếp|раньше|туда|previous posts|previous entries|
    previous articles|weiter|nächste|nächste seite|vorwärts|ältere beiträge|ältere artikel|ältere einträge|suivant|suivante|page suivante|
    suivants|articles plus anciens|articles précédents|siguiente|siguientes|página siguiente|próxima|próximo|próxima página|entradas anteriores|
    entradas antiguas|entradas más antiguas|anteriores|seguinte|página seguinte|avançar|posts antigos|postagens mais antigas|mais antigos|successivo|successiva|
    successivi|avanti|pagina successiva|prossima|articoli precedenti|articoli meno recenti|post più vecchi|volgende|volgende pagina|oudere berichten|
    nästa|nästa sida|äldre inlägg|næste|neste|neste side|eldre innlegg|ældre indlæg|seuraava|seuraava sivu|vanhemmat|следующая|следующая страница|следующие|следующий|
    далее|дальше|вперёд|вперед|предыдущие записи|старые записи|ранее|наступна|далі|вперед|następna|następne|następny|następna strona|dalej|starsze wpisy|starsze|
    další|další stránka|následující|starší|starší příspěvky|ďalšia|ďalšie|ďalej|következő|következő oldal|tovább|régebbi|régebbi bejegyzések|următoarea|următor|
    urmatoarea|urmatorul|înainte|articole mai vechi|следваща|напред|sljedeća|sledeća|sledeće|naslednja|starije|sonraki|ileri|sonraki sayfa|eski yazılar|επόμενη|επόμενο|
    επόμενη σελίδα|παλαιότερα|التالي|التالية|الصفحة التالية|السابق التالي|הבא|לעמוד הבא|بعدی|صفحه بعد|अगला|अगला पृष्ठ|अगला पेज|अगले|अगली|आगे|आगे बढ़ें|पुराने पोस्ट|ถัดไป|หน้าถัดไป|trang sau|tiếp|tiếp theo|sau|
    berikutnya|selanjutnya|seterusnya|下一页|下一頁|下一|下页|下頁|后一页|下一步|次へ|次|進む|次のページ|次ページ|もっと見る|次の|過去の投稿|古い投稿|이전 글|다음|다음 페이지|다음페이지|kitas|nākamā|järgmine|següent|hurrengoa|seguente|
    ältere posts|nächster|nächstes|articles suivants|messages plus anciens|entradas más viejas|publicações antigas|næsta|sljedeća stranica|sledeća strana|dalje|naprej|
    nasledujúca|nasledujúce|staršie|edasi|tālāk|nākamais|toliau|sekantis|tjetra|следваща страница|по-стари|нататък|следећа|келесі|наступні|старіші|შემდეგი|հաջորդ|
    رسائل أقدم|רשומות קודמות|לדף הבא|הדף הבא|صفحه بعدی|پست‌های قدیمی‌تر|পরবর্তী|পরবর্তী পাতা|পরবর্তী পৃষ্ঠা|পরের পাতা|পরের পৃষ্ঠা|আরো পুরানো|அடுத்து|அடுத்த பக்கம்|తదుపరి|lanjut|halaman berikutnya|postingan lama|bài đăng cũ hơn|susunod|
    后页|後頁|次頁|つぎへ|以前の記事|以前の投稿|
    след|forward|adelante|posterior|posteriores|kolejna|kolejne|kolejna strona|framåt|volgend|nästa sidan|næste side|seguente pagina`,
  previous: `prev|previous|previous page|back|newer|newer posts|newer entries|zurück|vorherige|vorherige seite|neuere beiträge|précédent|précédente|page précédente|
    anterior|página anterior|atrás|entradas más recientes|voltar|precedente|indietro|pagina precedente|vorige|föregående|forrige|edellinen|предыдущая|назад|предыдущие|
    попередня|poprzednia|wstecz|předchozí|predchádzajúca|előző|anterioară|înapoi|предишна|prethodna|prejšnja|önceki|geri|προηγούμενη|προηγούμενο|السابق|السابقة|הקודם|قبلی|
    पिछला|पिछला पृष्ठ|पिछले|पिछली|पीछे|পূর্ববর্তী|পূর্ববর্তী পাতা|পূর্ববর্তী পৃষ্ঠা|আগের|আগের পাতা|আগের পৃষ্ঠা|முந்தைய|ก่อนหน้า|trang trước|trước|sebelumnya|上一页|上一頁|上页|前へ|前|前のページ|이전|이전 페이지`,
  last: `last|last page|end|letzte|letzte seite|ende|dernier|dernière|dernière page|fin|última|último|fim|ultima|ultimo|laatste|sista|sidste|siste|viimeinen|последняя|в конец|остання|
    ostatnia|poslední|utolsó|ultima pagină|son|τελευταία|الأخير|אחרון|สุดท้าย|अंतिम|आखिरी|শেষ|trang cuối|cuối|terakhir|尾页|末页|最後|最後へ|마지막`,
  more: `load more|show more|view more|see more|more|more items|more products|show more results|more results|more posts|more articles|more news|more stories|load more results|mehr laden|mehr anzeigen|weitere laden|weitere anzeigen|mehr|
    afficher plus|charger plus|voir plus|plus de résultats|cargar más|mostrar más|ver más|más resultados|carregar mais|mostrar mais|ver mais|carica altri|mostra altri|
    mostra di più|vedi altri|meer laden|toon meer|bekijk meer|visa fler|ladda fler|vis flere|vis mer|last inn flere|näytä lisää|показать ещё|показать еще|ещё|загрузить ещё|загрузить еще|
    показати ще|pokaż więcej|załaduj więcej|zobrazit další|načíst další|zobraziť viac|több betöltése|mutass többet|afișează mai multe|покажи още|prikaži više|daha fazla|daha fazla göster|
    περισσότερα|عرض المزيد|المزيد|טען עוד|بیشتر|और देखें|और दिखाएं|और दिखाएँ|और लोड करें|আরও|আরও দেখুন|আরো দেখুন|আরও লোড করুন|ดูเพิ่มเติม|xem thêm|muat lebih banyak|加载更多|查看更多|更多|もっと読み込む|더보기|더 보기`,
};

/** Removes the accents of Latin letters, because many sites leave them out. */
const folded = (text: string) =>
  text
    .normalize("NFD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC");
const setOf = (words: string) => new Set(words.split("|").map((word) => folded(word.trim())));
const sets = {
  next: setOf(WORDS.next),
  previous: setOf(WORDS.previous),
  last: setOf(WORDS.last),
  more: setOf(WORDS.more),
};

/**
 * A name in lower case, without decoration: "Next »" becomes "next". A name that has neither letters nor digits keeps
 * its characters.
 */
export function bare(name: string): string {
  // NFKC makes full-width letters normal ones. The lower case of a Turkish İ has an extra dot, U+0307.
  const lower = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\u0307/g, "")
    .replace(/\s+/g, " ")
    .trim();
  // In Hindi and Bengali, many words end with a vowel sign, which is a mark, and no letter.
  return lower.replace(/^[^\p{L}\p{N}]+|(?:[^\p{L}\p{M}\p{N}]\p{M}*)+$/gu, "") || lower;
}

/** A kind of control that has typical names. */
export type ControlWord = keyof typeof sets;

/** Words to ignore at the beginning: "go to the next page" means "next page". */
const LEADING =
  /^(?:(?:go|show|view|see|display|get|load|to|the|zur|zum|aller|afficher|[aà]|la|les|ir|al?|ver|vai|alla|naar|g[aå]|till|til)\s+)+/;
/** Chinese, Japanese and Korean names have no spaces: the word for "next", then the thing that is next. */
const NEXT_UNSPACED =
  /^(?:次(?:の|を|へ|に|ペー?ジ|頁|\d+|件|個|検索|結果|一覧|目|表示|する|見る|進む|移動)*|[下后後]一?\d*[页頁]|다음(?:\s*(?:페이지|목록|\d+개?))?)(?![\p{L}])/u;

/** Whether a name is exactly one of the names of such a control. */
export const isCalled = (name: string, word: ControlWord): boolean => {
  const text = folded(bare(name));
  if (sets[word].has(text)) return true;
  return word === "next" && (sets.next.has(text.replace(LEADING, "")) || NEXT_UNSPACED.test(text));
};

/** Whether a name begins or ends with one of the names of such a control. Less sure than `isCalled`. */
export function soundsLike(name: string, word: ControlWord): boolean {
  const text = folded(bare(name)).replace(word === "next" ? LEADING : "", "");
  if (text.length > 40) return false;
  // Very short names, and single words for "more", are too vague: "Read more" is about a text.
  const isPhrase = (phrase: string) =>
    sets[word].has(phrase) && phrase.length >= 4 && (word !== "more" || phrase.includes(" "));
  for (let at = 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if ((character === " " || character === "." || character === "(") && isPhrase(text.slice(0, at)))
      return true;
    if (character === " " && isPhrase(text.slice(at + 1))) return true;
  }
  return false;
}

const PAGES =
  /\b(?:page|pages|results|entries|posts|items|p[aá]gina|seite|strana|stránka|strona|side|sida|sivu|lapa|oldal|sayfa|halaman|trang)\b|страниц|сторінк|σελίδα|صفح|עמוד|דף|पृष्ठ|पेज|পাতা|পৃষ্ঠা|หน้า|ペー?ジ|件|[頁页]|페이지/u;
const COUNTED = /^\p{L}+ \d+(?: \p{L}+)?$/u;

/** Whether a text mentions pages, or what they have. */
export const mentionsPages = (text: string): boolean => PAGES.test(text.toLowerCase());

/** Whether a name mentions the next page or a number of rows: "next page", "next 20". Links to articles never do. */
export const saysNextPage = (name: string): boolean => {
  const text = bare(name).replace(LEADING, "");
  return (
    (isCalled(name, "next") && PAGES.test(text)) ||
    (soundsLike(name, "next") && (COUNTED.test(text) || (PAGES.test(text) && text.split(" ").length < 5)))
  );
};

const SEVERAL_PAGES =
  /(?<!\bof |\/|第)(?<!\d)(?:[2-9]|[1-9]\d+)\s?(?:(?:pages|seiten|páginas|pagine|pagina's|sidor|sider|stron)\b|страниц|[页頁]|ページ|페이지)/iu;

/** Whether a name says that a control passes over pages, such as "next 5 pages". */
export const passesPages = (name: string): boolean => SEVERAL_PAGES.test(name);

/** Names of controls that show the whole list on one page, such as "view all". */
const ALL =
  /^(?:view|show|see|display)? ?(?:all|alle|alles|tout|tous|todos?|todas|tutti|tutte|wszystk\S*|vše|все|всё|全部|すべて)\b|\b(?:all|alle|tout|tous|todos|tutti|wszystko|все|всё)$/iu;
export const meansAll = (name: string): boolean => ALL.test(bare(name));

const FORWARD = /^[[(]?[-=–—]{0,3}(?:[›»>≫→⟩⟫❯▶►▸▹▷▻⇒⇨⟶➔➜➡⯈⏵⏩〉》]\s?){1,3}[\])]?$/u;
const BACKWARD = /^(?:[‹«<≪←⟨❮◀◄⇐⟵]\s?)+[-=–—]{0,3}$/u;
const arrows = (name: string) => name.normalize("NFKC").replaceAll("&gt;", ">").trim();
export const isForwardArrow = (name: string): boolean => FORWARD.test(arrows(name));
export const isBackwardArrow = (name: string): boolean => BACKWARD.test(arrows(name));
/** Whether a name is a number and an arrow, such as "26 – 50 >" or "Page 2 »". */
export const isNumberWithArrow = (name: string): boolean =>
  /^(?:\p{L}+\s)?\d+(?:\s?[-–]\s?\d+)?\s?[›»>≫→]+$/u.test(arrows(name));

/** The words of a class name or an id: "pagerNext-btn" becomes "pager", "next" and "btn". */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z]+/);
const NEXT_CLASS =
  /^(?:next|nxt|older|forward|fwd|to-?next|next(?:page|posts?|link|btn|button|arrow|navi?|items?|posts?link)\w*|(?:p|pg|pag|page|pager|paging|pagination|btn|button|nav|navi|arrow|list|top|bottom)next)$/;
const PREVIOUS_CLASS =
  /^(?:prev|previous|newer|back|(?:prev|previous)(?:page|posts?|link|btn|button|arrow)\w*)$/;
const hasWord = (name: string, word: RegExp) => wordsOf(name).some((each) => word.test(each));
export const hasNextClass = (name: string): boolean =>
  hasWord(name, NEXT_CLASS) && !hasWord(name, PREVIOUS_CLASS);
export const hasPreviousClass = (name: string): boolean =>
  hasWord(name, PREVIOUS_CLASS) && !/ne?xt/i.test(name);
