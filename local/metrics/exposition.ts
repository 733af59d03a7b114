/** The values of one metric. */
export interface Metric {
  /** In snake case, with the unit at the end. Those of counters end with `_total`. */
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  samples: readonly Sample[];
}

export interface Sample {
  /** What is added to the name of the metric. Only histograms have such names. */
  suffix?: "_bucket" | "_sum" | "_count";
  /** The labels have few possible values, and none that a page, a scraper or an account gives. */
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** The media type of Prometheus' text format. */
export const MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Metrics in the text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/. */
export const exposition = (metrics: readonly Metric[]): string =>
  metrics
    .map(
      ({ name, help, type, samples }) =>
        `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map((sample) => line(name, sample)).join("")}`,
    )
    .join("");

function line(name: string, { suffix, labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${suffix ?? ""}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}\n`;
}

const escaped = (text: string) =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
