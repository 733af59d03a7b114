import { EXIT } from "../command-error.ts";
import { print, printJson, styled } from "../terminal/print.ts";
import { type Check, type Finding, oneOf } from "./doctor/finding.ts";
import * as machine from "./doctor/machine.ts";
import * as service from "./doctor/service.ts";
import * as stack from "./doctor/stack.ts";

interface Options {
  url?: string;
  profile?: string;
  data?: string;
  port: number;
  stack?: string;
  json?: boolean;
}

const COLORS = { ok: "green", note: "gray", warning: "yellow", problem: "red" } as const;

/** Checks what Gleaner needs, and advises how to fix problems. The exit code is 1 if there is a problem. */
export async function doctor({ port, json, stack: name, ...where }: Options): Promise<void> {
  const checks: Record<string, Check> = {
    "Node.js": machine.node,
    Browser: machine.browser,
    "Data folder": () => machine.dataFolder(where.data),
    Settings: machine.settings,
    Disk: () => machine.disk(where.data),
    Port: () => machine.port(port, where.data),
    "Service and key": () => service.service(where),
    AWS: service.aws,
    ...(name !== undefined && {
      "AWS region": stack.region,
      Stack: () => stack.deployed(name),
      "Concurrent executions": () => stack.concurrency(name),
    }),
  };
  const findings: (Finding & { check: string })[] = [];
  for (const [check, look] of Object.entries(checks)) {
    const finding = { check, ...(await oneOf(look)) };
    findings.push(finding);
    if (!json) tell(finding);
  }
  if (json) printJson(findings);
  if (findings.some(({ state }) => state === "problem")) process.exitCode = EXIT.failed;
}

function tell({ check, state, message, advice }: Finding & { check: string }): void {
  console.log(
    `${styled(COLORS[state], state.padEnd(7), process.stdout)} ${check}: ${styled("reset", message, process.stdout)}`,
  );
  if (advice !== undefined) print(`        → ${advice}`);
}
