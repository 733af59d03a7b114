/** What the controls of lists are called, in the languages that most of the web is written in. */

const WORDS = {
  next: `next|next page|next results|older|older posts|older entries|older articles|older news|older stories|older topics|older reviews|earlier|earlier posts|older items|next entries|next posts|next articles|next items|next set|more posts|more articles|more news|more stories|nxt|nächste einträge|vor|weitere|suiv|succ|próx|prox|próximos|sig|siguiente página|seguintes|volg|verder|trang kế|kế tiếp|trang tiếp|trang kế tiếp|раньше|туда|previous posts|previous entries|
    previous articles|more results|weiter|nächste|nächste seite|vorwärts|ältere beiträge|ältere artikel|ältere einträge|suivant|suivante|page suivante|
    suivants|articles plus anciens|articles précédents|siguiente|siguientes|página siguiente|próxima|próximo|próxima página|entradas anteriores|
    entradas antiguas|entradas más antiguas|anteriores|seguinte|página seguinte|avançar|posts antigos|postagens mais antigas|mais antigos|successivo|successiva|
    successivi|avanti|pagina successiva|prossima|articoli precedenti|articoli meno recenti|post più vecchi|volgende|volgende pagina|oudere berichten|
    nästa|nästa sida|äldre inlägg|næste|neste|neste side|eldre innlegg|ældre indlæg|seuraava|seuraava sivu|vanhemmat|следующая|следующая страница|следующие|следующий|
    далее|дальше|вперёд|вперед|предыдущие записи|старые записи|ранее|наступна|далі|вперед|następna|następne|następny|następna strona|dalej|starsze wpisy|starsze|
    další|další stránka|následující|starší|starší příspěvky|ďalšia|ďalšie|ďalej|következő|következő oldal|tovább|régebbi|régebbi bejegyzések|următoarea|următor|
    urmatoarea|urmatorul|înainte|articole mai vechi|следваща|напред|sljedeća|sledeća|sledeće|naslednja|starije|sonraki|ileri|sonraki sayfa|eski yazılar|επόμενη|επόμενο|
    επόμενη σελίδα|παλαιότερα|التالي|التالية|الصفحة التالية|السابق التالي|הבא|לעמוד הבא|بعدی|صفحه بعد|अगला|अगला पृष्ठ|ถัดไป|หน้าถัดไป|trang sau|tiếp|tiếp theo|sau|
    berikutnya|selanjutnya|seterusnya|下一页|下一頁|下页|下頁|后一页|下一步|次へ|次|次のページ|次ページ|もっと見る|次の|過去の投稿|古い投稿|이전 글|다음|다음 페이지|다음페이지|kitas|nākamā|järgmine|següent|hurrengoa|seguente`,
  previous: `prev|previous|previous page|back|newer|newer posts|newer entries|zurück|vorherige|vorherige seite|neuere beiträge|précédent|précédente|page précédente|
    anterior|página anterior|atrás|entradas más recientes|voltar|precedente|indietro|pagina precedente|vorige|föregående|forrige|edellinen|предыдущая|назад|предыдущие|
    попередня|poprzednia|wstecz|předchozí|predchádzajúca|előző|anterioară|înapoi|предишна|prethodna|prejšnja|önceki|geri|προηγούμενη|προηγούμενο|السابق|السابقة|הקודם|قبلی|
    पिछला|ก่อนหน้า|trang trước|trước|sebelumnya|上一页|上一頁|上页|前へ|前|前のページ|이전|이전 페이지`,
  last: `last|last page|end|letzte|letzte seite|ende|dernier|dernière|dernière page|fin|última|último|fim|ultima|ultimo|laatste|sista|sidste|siste|viimeinen|последняя|в конец|остання|
    ostatnia|poslední|utolsó|ultima pagină|son|τελευταία|الأخير|אחרון|สุดท้าย|trang cuối|cuối|terakhir|尾页|末页|最後|最後へ|마지막`,
  more: `load more|show more|view more|see more|more|more items|more products|show more results|load more results|mehr laden|mehr anzeigen|weitere laden|weitere anzeigen|mehr|
    afficher plus|charger plus|voir plus|plus de résultats|cargar más|mostrar más|ver más|más resultados|carregar mais|mostrar mais|ver mais|carica altri|mostra altri|
    mostra di più|vedi altri|meer laden|toon meer|bekijk meer|visa fler|ladda fler|vis flere|vis mer|last inn flere|näytä lisää|показать ещё|показать еще|ещё|загрузить ещё|загрузить еще|
    показати ще|pokaż więcej|załaduj więcej|zobrazit další|načíst další|zobraziť viac|több betöltése|mutass többet|afișează mai multe|покажи още|prikaži više|daha fazla|daha fazla göster|
    περισσότερα|عرض المزيد|المزيد|טען עוד|بیشتر|और देखें|ดูเพิ่มเติม|xem thêm|muat lebih banyak|加载更多|查看更多|更多|もっと読み込む|더보기|더 보기`,
};

const setOf = (words: string) => new Set(words.split("|").map((word) => word.trim()));
const sets = {
  next: setOf(WORDS.next),
  previous: setOf(WORDS.previous),
  last: setOf(WORDS.last),
  more: setOf(WORDS.more),
};

/** A name without what decorates it, as in "Next »"; a name that is all decoration stays as it is. */
export function bare(name: string): string {
  const lower = name.toLowerCase().replace(/\s+/g, " ").trim();
  return lower.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "") || lower;
}

export type ControlWord = keyof typeof sets;

/** Whether a control is called exactly that. */
export const isCalled = (name: string, word: ControlWord): boolean => sets[word].has(bare(name));

/** Whether a name begins or ends with words that only such a control has. */
export function soundsLike(name: string, word: ControlWord): boolean {
  const text = bare(name);
  if (text.length > 40) return false;
  for (const phrase of sets[word]) {
    // "Read more" is about a text, and "next year" about a calendar.
    if (phrase.length < 4 || (word === "more" && !phrase.includes(" "))) continue;
    if (text.startsWith(`${phrase} `) || text.endsWith(` ${phrase}`)) return true;
  }
  return false;
}

/** Controls that show a list in one piece. */
const ALL =
  /^(?:view|show|see|display)? ?(?:all|alle|alles|tout|tous|todos?|todas|tutti|tutte|wszystk\S*|vše|все|всё|全部|すべて)\b|\b(?:all|alle|tout|tous|todos|tutti|wszystko|все|всё)$/iu;
export const meansAll = (name: string): boolean => ALL.test(bare(name));

const FORWARD = /^[[(]?\s*(?:[›»>→⟩❯▶►⇒⟶➔➜➡▸⯈⏵〉》]\s?|&gt;){1,3}\s*[\])]?$/u;
const BACKWARD = /^[‹«<←⟨❮◀◄⇐⟵]+$/u;
export const isForwardArrow = (name: string): boolean => FORWARD.test(name.trim());
export const isBackwardArrow = (name: string): boolean => BACKWARD.test(name.trim());

const NEXT_CLASS =
  /(?:^|[-_])(?:next|nextpage|nextpostslink|nextlink|older|forward)(?:$|[-_])|next(?:page|posts?link|link|btn|button)|(?:page|pager|pagination|btn|button|nav|arrow)[-_]?next/i;
const PREVIOUS_CLASS =
  /(?:^|[-_])(?:prev|previous|newer|back)(?:$|[-_])|prev(?:ious)?(?:page|posts?link|link|btn|button)/i;
export const hasNextClass = (name: string): boolean => NEXT_CLASS.test(name) && !PREVIOUS_CLASS.test(name);
export const hasPreviousClass = (name: string): boolean => PREVIOUS_CLASS.test(name) && !/next/i.test(name);
