import type { CDPSession } from "playwright-core";
import { PAGE_SCRIPT } from "../page-script/protocol.ts";
import type { PageCalls } from "./page-calls.ts";

/** A node as the DevTools protocol describes it. */
interface Node {
  backendNodeId: number;
  frameId?: string;
  shadowRootType?: string;
  shadowRoots?: Node[];
  children?: Node[];
  contentDocument?: Node;
}

/** What the source of a document has if its HTML declares shadow roots. */
const DECLARATION = 'shadowrootmode="?closed';
/** More are left closed. */
const ROOTS_MAX = 5_000;

/**
 * Tells the page script of the closed shadow roots that the HTML of documents declares: only the browser can open them.
 * Scripts that attach closed ones are told otherwise (page-world/closed-roots.ts).
 */
export class ClosedRoots {
  readonly #calls: PageCalls;
  /** The addresses of frames. */
  readonly #urls = new Map<string, string>();
  #searches: Promise<void>[] = [];

  /** @param mainFrame tells the id of the main frame */
  constructor(cdp: Pick<CDPSession, "on">, calls: PageCalls, mainFrame: () => string) {
    this.#calls = calls;
    const search = (frame: string) => void this.#searches.push(this.#open(frame).catch(() => {}));
    cdp.on("Page.frameNavigated", ({ frame: { id, url } }) => void this.#urls.set(id, url));
    cdp.on("Page.frameDetached", ({ frameId }) => void this.#urls.delete(frameId));
    cdp.on("Page.domContentEventFired", () => search(mainFrame()));
    cdp.on("Page.frameStoppedLoading", ({ frameId }) => {
      if (frameId !== mainFrame()) search(frameId);
    });
  }

  /** Resolves when the page script knows those of all documents that have loaded. */
  async known(): Promise<void> {
    const searches = this.#searches;
    this.#searches = [];
    await Promise.all(searches);
  }

  async #open(frameId: string): Promise<void> {
    const { send } = this.#calls;
    const url = this.#urls.get(frameId);
    if (!url || !/^(https?|about):/.test(url)) return;
    const query = { query: DECLARATION, isRegex: true, caseSensitive: false };
    const { result } = await send("Page.searchInResource", { frameId, url, ...query });
    if (result.length === 0) return;
    const executionContextId = await this.#calls.contextOf(frameId, 0);
    const { root } = await send("DOM.getDocument", { depth: -1, pierce: true });
    const ids = closedRootsOf(frameId, root).slice(0, ROOTS_MAX);
    const opened = ids.map((backendNodeId) => send("DOM.resolveNode", { backendNodeId, executionContextId }));
    const roots = (await Promise.all(opened)).flatMap(({ object: { objectId } }) => objectId ?? []);
    await send("Runtime.callFunctionOn", {
      functionDeclaration: `(...roots) => ${PAGE_SCRIPT}.learnRoots(roots)`,
      executionContextId,
      arguments: roots.map((objectId) => ({ objectId })),
    });
  }
}

/** The ids of the closed shadow roots in the document of a frame. */
function closedRootsOf(frame: string, root: Node): number[] {
  const found: number[] = [];
  const walk = (node: Node, isInside: boolean): void => {
    if (isInside && node.shadowRootType === "closed") found.push(node.backendNodeId);
    for (const inner of [...(node.shadowRoots ?? []), ...(node.children ?? [])]) walk(inner, isInside);
    const { contentDocument } = node;
    if (contentDocument) walk(contentDocument, node.frameId === frame);
  };
  walk(root, root.frameId === undefined || root.frameId === frame);
  return found;
}
