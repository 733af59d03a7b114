import type { Command, Option } from "commander";

type Shell = "bash" | "zsh" | "fish";

/** A command, and the subcommands and options that may follow it. */
interface Place {
  /** The names of the parent commands and of the command, such as `/scraper/put`. */
  path: string;
  commands: { name: string; description: string }[];
  options: readonly Option[];
}

/** Prints the completion script for a shell. */
export function completion(shell: Shell, gleaner: Command): void {
  console.log(scripts[shell]([...places(gleaner, "")]));
}

function* places(command: Command, path: string): Generator<Place> {
  const commands = command.commands.map((one) => ({ name: one.name(), description: one.description() }));
  yield { path, commands, options: command.createHelp().visibleOptions(command) };
  for (const child of command.commands) yield* places(child, `${path}/${child.name()}`);
}

const paths = (all: Place[]) => all.flatMap(({ path }) => (path === "" ? [] : [path]));
const flagsOf = ({ options }: Place) => options.flatMap(({ long }) => long ?? []);

/** The options with a fixed set of values: the flags of each option, and its values. */
const choices = (all: Place[]) =>
  new Map(
    all.flatMap(({ options }) =>
      options.flatMap(({ short, long, argChoices }) =>
        argChoices === undefined
          ? []
          : [[[short, long].filter((flag) => flag !== undefined), argChoices] as const],
      ),
    ),
  );

/** Quotes a text with single quotes, for bash and zsh. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const inFish = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const scripts: Record<Shell, (all: Place[]) => string> = {
  bash: (all) => `# Add to ~/.bashrc: eval "$(gleaner completion bash)"
_gleaner() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" place="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place/$word" in
      ${paths(all).join("|")}) place="$place/$word" ;;
    esac
  done
  case "$place" in
${all.map((place) => `    ${quoted(place.path)}) words=${quoted([...place.commands.map(({ name }) => name), ...flagsOf(place)].join(" "))} ;;`).join("\n")}
  esac
  case "$before" in
${[...choices(all)].map(([flags, values]) => `    ${flags.join("|")}) words=${quoted(values.join(" "))} ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _gleaner gleaner`,

  zsh: (all) => `#compdef gleaner
# Add to ~/.zshrc, after compinit: eval "$(gleaner completion zsh)"
_gleaner() {
  local place="" word
  local -a items
  for word in \${words[2,CURRENT-1]}; do
    case "$place/$word" in
      ${paths(all).join("|")}) place="$place/$word" ;;
    esac
  done
  case "$place" in
${all.map((place) => `    ${quoted(place.path)}) items=(${itemsOf(place).join(" ")}) ;;`).join("\n")}
  esac
  case "\${words[CURRENT-1]}" in
${[...choices(all)].map(([flags, values]) => `    ${flags.join("|")}) items=(${values.join(" ")}) ;;`).join("\n")}
  esac
  _describe 'gleaner' items || _files
}
compdef _gleaner gleaner`,

  fish: (all) => `# Save as ~/.config/fish/completions/gleaner.fish
function __gleaner_at
  set -l place ""
  for word in (commandline -opc)[2..]
    switch "$place/$word"
      case ${paths(all).map(inFish).join(" ")}
        set place "$place/$word"
    end
  end
  test "$place" = "$argv[1]"
end
${all.flatMap(fishLines).join("\n")}`,
};

const itemsOf = ({ commands, options }: Place) => [
  ...commands.map(({ name, description }) => quoted(`${name}:${description}`)),
  ...options.flatMap(({ long, description }) => (long ? [quoted(`${long}:${description}`)] : [])),
];

function fishLines({ path, commands, options }: Place): string[] {
  const at = `complete -c gleaner -n ${quoted(`__gleaner_at "${path}"`)}`;
  return [
    ...commands.map(({ name, description }) => `${at} -f -a ${name} -d ${inFish(description)}`),
    ...options.map(({ short, long, description, argChoices, required }) => {
      const flags = `${short ? ` -s ${short.slice(1)}` : ""}${long ? ` -l ${long.slice(2)}` : ""}`;
      const value = argChoices ? ` -xa ${quoted(argChoices.join(" "))}` : required ? " -r" : "";
      return `${at}${flags}${value} -d ${inFish(description)}`;
    }),
  ];
}
