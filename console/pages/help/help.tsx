import { useEffect } from "preact/hooks";
import alerts from "../../../docs/alerts.md";
import batches from "../../../docs/batches.md";
import changes from "../../../docs/changes.md";
import console from "../../../docs/console.md";
import failures from "../../../docs/failures.md";
import keys from "../../../docs/keys.md";
import politeness from "../../../docs/politeness.md";
import proxies from "../../../docs/proxies.md";
import schedules from "../../../docs/schedules.md";
import scrapers from "../../../docs/scrapers.md";
import secrets from "../../../docs/secrets.md";
import webhooks from "../../../docs/webhooks.md";
import { useLoad } from "../../api/use-load.ts";
import { place } from "../../router/router.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import type { PageProps } from "../page-props.ts";
import { type Block, parseMarkdown, spansOf } from "./markdown.ts";

/** The addresses of the documents that the service serves, by name. */
const documents: Readonly<Record<string, string>> = {
  console,
  scrapers,
  batches,
  changes,
  schedules,
  failures,
  webhooks,
  alerts,
  secrets,
  proxies,
  politeness,
  keys,
};

/** The address in the console of what a document links to; undefined if the service does not serve it. */
function linkTo(href: string, current: string): string | undefined {
  if (/^https?:/.test(href)) return href;
  const [file = "", anchor] = href.split("#");
  const name = file === "" ? current : file.replace(/\.md$/, "");
  if (name === "api") return "/v1/reference";
  if (!Object.hasOwn(documents, name)) return undefined;
  return `/help/${name}${anchor === undefined ? "" : `#${anchor}`}`;
}

/** A page of the documentation. */
export function Help({ id }: PageProps) {
  const name = id === "" ? "console" : id;
  const address = Object.hasOwn(documents, name) ? documents[name] : undefined;
  const { data, error, reload } = useLoad(
    async (signal) =>
      address === undefined ? [] : parseMarkdown(await (await fetch(address, { signal })).text()),
    [address],
  );
  // A link within the page changes only the place.
  const { value: here } = place;
  useEffect(() => {
    const anchor = decodeURIComponent(location.hash.slice(1));
    if (data !== undefined && anchor !== "") document.getElementById(anchor)?.scrollIntoView();
  }, [data, here]);
  const [first, ...rest] = data ?? [];
  const title = first?.kind === "heading" ? plain(first.text) : "Help";
  return (
    <Page title={title}>
      <nav class="segments" aria-label="Pages of the documentation">
        {Object.keys(documents).map((one) => (
          <a key={one} href={`/help/${one}`} aria-current={one === name ? "page" : undefined}>
            {one[0]?.toUpperCase()}
            {one.slice(1)}
          </a>
        ))}
      </nav>
      {address === undefined && <Empty title="There is no such page">Choose one above.</Empty>}
      {data === undefined && error !== undefined && <ErrorState error={error} retry={reload} />}
      {data === undefined && error === undefined && <Loading what="the page" lines={12} />}
      <div class="document">
        {rest.map((block, index) => (
          <BlockView key={index} block={block} current={name} />
        ))}
      </div>
    </Page>
  );
}

const plain = (text: string): string =>
  spansOf(text)
    .map((span) => span.text)
    .join("");

function BlockView({ block, current }: { block: Block; current: string }) {
  const line = (text: string) => <Line text={text} current={current} />;
  switch (block.kind) {
    case "heading": {
      const Heading = block.level === 2 ? "h2" : "h3";
      return <Heading id={block.id}>{line(block.text)}</Heading>;
    }
    case "paragraph":
      return <p>{line(block.text)}</p>;
    case "code":
      return (
        <div class="code-frame">
          <div class="code-tools">
            <CopyButton text={block.text} what="the example" />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard. */}
          <pre class="code" tabIndex={0}>
            {block.text}
          </pre>
        </div>
      );
    case "list": {
      const List = block.isOrdered ? "ol" : "ul";
      return (
        <List>
          {block.items.map((item, index) => (
            <li key={index}>{line(item)}</li>
          ))}
        </List>
      );
    }
    case "table":
      return <TableView block={block} line={line} />;
  }
}

interface TableViewProps {
  block: Extract<Block, { kind: "table" }>;
  line: (text: string) => preact.JSX.Element;
}

function TableView({ block: { head, rows }, line }: TableViewProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard.
    <div class="table-frame" tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col">
                {cell === "" ? <span class="visually-hidden">Remarks</span> : line(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at}>{line(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ text, current }: { text: string; current: string }) {
  return (
    <>
      {spansOf(text).map(({ kind, text: part, href = "" }, index) => {
        if (kind === "code") return <code key={index}>{part}</code>;
        if (kind === "strong") return <strong key={index}>{part}</strong>;
        if (kind === "em") return <em key={index}>{part}</em>;
        const address = kind === "link" ? linkTo(href, current) : undefined;
        if (kind === "text" || address === undefined) return plain(part);
        const isOutside = /^https?:/.test(address);
        return (
          <a key={index} href={address} {...(isOutside && { target: "_blank", rel: "noopener noreferrer" })}>
            {plain(part)}
          </a>
        );
      })}
    </>
  );
}
