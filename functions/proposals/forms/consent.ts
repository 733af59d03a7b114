import type { StepOf } from "../../contract/steps/steps.ts";
import { bare } from "../pagination/control-words.ts";
import { controlsCalled, controlsOf } from "../pagination/controls.ts";
import { SelectorChooser } from "../selectors/choose-selector.ts";
import type { Tree, TreeNode } from "../tree.ts";

/** Words of texts that ask for consent. */
const ABOUT =
  /cookie|consent|gdpr|dsgvo|privacy|datenschutz|einwilligung|confidentialité|privacidad|privacidade|riservatezza|privacy|toestemming|samtycke|samtykke|evästee|файл\S* cookie|ciastecz|súbory|soubor\S* cookie|süti|çerez|個人情報|隐私|쿠키/i;
/** Names of buttons that refuse cookies. They are preferred, because the site then stores the least. */
const REFUSE =
  /^(?:reject|refuse|decline|deny|disagree|necessary only|only necessary|essential only|only essential|use necessary cookies only|continue without accepting|no,? thanks|ablehnen|nur notwendige|nur erforderliche|alle ablehnen|refuser|continuer sans accepter|rechazar|rifiuta|recusar|rejeitar|weigeren|alleen noodzakelijk|avvisa|neka|afvis|kun nødvendige|hylkää|odrzuć|odmítnout|elutasít|отклонить|reddet|拒否|拒绝|거부)/i;
/** Names of buttons that accept cookies or close the banner. */
const ACCEPT =
  /^(?:accept|agree|allow|i agree|i accept|got it|ok|okay|understood|i understand|yes|continue|close|consent|akzeptieren|alle akzeptieren|zustimmen|einverstanden|verstanden|accepter|j.accepte|tout accepter|aceptar|acepto|accetta|accetto|aceitar|aceito|concordo|accepteren|akkoord|godkänn|acceptera|godta|godkend|accepter alle|hyväksy|akceptuj|zgadzam|przyjmuję|souhlasím|přijmout|súhlasím|elfogad|принять|согласен|kabul|同意|接受|동의)/i;
/** Timeout of the click. A banner may appear late, or not at all. */
const WAIT_MS = 2_000;
/** Longer texts, in characters, are the page itself and not a banner. */
const TEXT_MAX = 2_000;
/** The most elements that can be a banner. A banner has few elements, and most of them are not positioned. */
const BANNERS_MAX = 50;

/** An optional click that closes a cookie banner; undefined if there is no banner, or no button to close it. */
export function consentOf(tree: Tree): StepOf<"click"> | undefined {
  const banners = tree.nodes.filter(isBanner).slice(0, BANNERS_MAX);
  if (banners.length === 0) return undefined;
  const all = controlsOf(tree);
  const inside = all.filter(({ node, target }) => !target && banners.some((banner) => banner.contains(node)));
  const control =
    inside.find(({ names }) => names.some((name) => REFUSE.test(bare(name)))) ??
    inside.find(({ names }) => names.some((name) => ACCEPT.test(bare(name))));
  if (!control) return undefined;
  const name = control.names[0];
  const isUnique = name !== undefined && controlsCalled(all, name).length === 1;
  const selector = isUnique
    ? undefined
    : new SelectorChooser(tree.nodes, tree.effort).choose([control.node])?.css;
  if (!isUnique && !selector) return undefined;
  return {
    type: "click",
    ...(isUnique ? { field_name: name } : { selector }),
    optional: true,
    timeout_ms: WAIT_MS,
  };
}

/** Whether an element is a dialog, lies over the page, or is named like a cookie banner, and asks for consent. */
function isBanner(node: TreeNode): boolean {
  if (!node.isShown || node.tag === "body" || node.tag === "html") return false;
  const isDialog = node.tag === "dialog" || /^(?:alert)?dialog$/.test(node.attribute("role") ?? "");
  const isNamed = [node.attribute("id") ?? "", ...node.classes].some((name) =>
    /cookie|consent|gdpr/i.test(name),
  );
  if (!isDialog && !node.isOverlaid && !isNamed) return false;
  return node.textLength < TEXT_MAX && (isNamed || ABOUT.test(node.text));
}
