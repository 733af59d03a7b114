import type { CDPSession } from "playwright-core";
import { KEPT } from "../limits.ts";
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

/**
 * Tells the page script of the closed shadow roots that the HTML of documents declares: only the browser can open them.
 * Scripts that attach closed ones are told otherwise (page-world/closed-roots.ts).
 */
export class ClosedRoots {
  readonly #calls: PageCalls;
  /** The addresses of the documents of frames, and the requests for them. */
  readonly #documents = new Map<string, { url: string; requestId: string }>();
  /** The execution contexts of the documents whose roots are known. */
  readonly #known = new Set<number>();

  constructor(cdp: Pick<CDPSession, "on">, calls: PageCalls) {
    this.#calls = calls;
    cdp.on("Page.frameNavigated", ({ frame: { id, url, loaderId: requestId } }) => {
      this.#documents.set(id, { url, requestId });
    });
    cdp.on("Page.frameDetached", ({ frameId }) => void this.#documents.delete(frameId));
    cdp.on("Runtime.executionContextDestroyed", ({ executionContextId: id }) => void this.#known.delete(id));
    cdp.on("Runtime.executionContextsCleared", () => this.#known.clear());
  }

  /** To be called once the document of a frame has loaded. Resolves when the page script knows its closed roots. */
  async learn(frameId: string, executionContextId: number): Promise<void> {
    if (this.#known.has(executionContextId)) return;
    this.#known.add(executionContextId);
    // The document may be gone.
    await this.#open(frameId, executionContextId).catch(() => {});
  }

  /** Looks at what the browser has received: to search in resources of a page, it would load them again. */
  async #declaresRoots({ url, requestId }: { url: string; requestId: string }): Promise<boolean> {
    if (url === "about:srcdoc") return true;
    if (!/^https?:/.test(url)) return false;
    const query = { query: DECLARATION, isRegex: true, caseSensitive: false };
    const { result } = await this.#calls.send("Network.searchInResponseBody", { requestId, ...query });
    return result.length > 0;
  }

  async #open(frameId: string, executionContextId: number): Promise<void> {
    const { send } = this.#calls;
    const document = this.#documents.get(frameId);
    if (!document || !(await this.#declaresRoots(document))) return;
    const { root } = await send("DOM.getDocument", { depth: -1, pierce: true });
    const ids = closedRootsOf(frameId, root).slice(0, KEPT.roots);
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
