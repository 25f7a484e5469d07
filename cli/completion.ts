/** `glassbox completion`: the scripts that complete in a shell, and the words that they offer. */

import { type Argument, type Command, Option } from 'commander';
import { createFailure, EXIT } from '../actors/files/failure.ts';
import { PROVIDER_NAMES } from '../actors/minds/openai/providers.ts';
import { LENSES } from '../machines/journal/lens.ts';
import { COLOURS } from '../machines/types.ts';
import { SPEEDS } from './flags.ts';
import { print } from './output.ts';
import type { ProgramCommand } from './usage.ts';

/** A script passes the words up to the cursor and gets one line per offer: the word, a tab, its help. */
const SCRIPTS: Readonly<Record<string, string>> = {
  // Bash breaks words at : and =, so an offer begins behind the last of them.
  bash: `_glassbox() {
  local line="\${COMP_LINE:0:COMP_POINT}" words cur head offer
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  cur="\${words[\${#words[@]}-1]}"
  head="\${cur%"\${cur##*[:=]}"}"
  [[ "$COMP_WORDBREAKS" == *:* ]] || head=""
  COMPREPLY=()
  while IFS=$'\\t' read -r offer _; do
    [[ "$offer" == "$cur"* ]] && COMPREPLY+=("\${offer#"$head"}")
  done < <(glassbox completion --offers -- "\${words[@]:1}" 2>/dev/null)
  case "\${COMPREPLY[0]}" in *[:=]) compopt -o nospace 2>/dev/null ;; esac
}
complete -o default -F _glassbox glassbox`,
  zsh: `#compdef glassbox
_glassbox() {
  local -a offers shown
  local row
  for row in "\${(@f)$(glassbox completion --offers -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n "$row" ]] || continue
    offers+=("\${row%%$'\\t'*}")
    shown+=("\${row/$'\\t'/  }")
  done
  if (( \${#offers} )); then compadd -l -d shown -a offers; else _files; fi
}
if [[ "\${funcstack[1]}" == _glassbox ]]; then _glassbox "$@"; else compdef _glassbox glassbox; fi`,
  fish: `function __glassbox_offers
  set -l words (commandline -opc) (commandline -ct)
  set -l offers (glassbox completion --offers -- $words[2..-1] 2>/dev/null)
  if test (count $offers) -gt 0
    string join \\n -- $offers
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c glassbox -f -a '(__glassbox_offers)'`,
  powershell: `Register-ArgumentCompleter -Native -CommandName glassbox -ScriptBlock {
  param($word, $ast, $position)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($word -eq '') { $words += '""' }
  glassbox completion --offers -- @words 2>$null | ForEach-Object {
    $offer, $help = $_ -split "\`t", 2
    if ($offer -like "$word*") {
      [System.Management.Automation.CompletionResult]::new($offer, $offer, 'ParameterValue', "$help ")
    }
  }
}`,
};

const SHELLS = Object.keys(SCRIPTS);

export function addCompletion(program: ProgramCommand): void {
  program
    .command('completion')
    .description('Prints the script that completes commands, options, lenses and files in a shell.')
    .argument('[words...]', `shell: ${SHELLS.join(', ')}`)
    .usage(`[options] <${SHELLS.join('|')}>`)
    .examples(
      ['completion bash >> ~/.bashrc', 'for bash'],
      ['completion zsh > ~/.zfunc/_glassbox', 'for zsh, with ~/.zfunc in fpath'],
      ['completion fish > ~/.config/fish/completions/glassbox.fish', 'for fish'],
    )
    .addOption(new Option('--offers', 'print what completes the words').hideHelp())
    .action(async (words: readonly string[], { offers = false }: { readonly offers?: boolean }) => {
      if (!offers) print(findScript(words));
      else
        for (const [word, help] of await listOffers(program, words))
          if (word.startsWith(words.at(-1) ?? '')) print(`${word}\t${help}`);
    });
}

function findScript([shell, ...others]: readonly string[]): string {
  const script = others.length === 0 ? SCRIPTS[shell ?? ''] : undefined;
  if (script !== undefined) return script;
  const found = shell === undefined ? 'none' : JSON.stringify([shell, ...others].join(' '));
  const text = `expected one of ${SHELLS.join(', ')}, found ${found}`;
  throw createFailure(EXIT.usage, 'usage/invalid-argument', text);
}

type Offer = readonly [word: string, help: string];

async function listOffers(
  program: ProgramCommand,
  words: readonly string[],
): Promise<readonly Offer[]> {
  const typed = words.at(-1) ?? '';
  const { command, asks, position } = followWords(program, words.slice(0, -1));
  if (asks !== null) return await listValues(asks, typed);
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  const option = flag === undefined ? undefined : findOption(command, flag);
  if (option !== undefined) {
    const values = await listValues(option, value ?? '');
    return values.map(([word, help]) => [`${flag}=${word}`, help]);
  }
  if (typed.startsWith('-')) {
    const own = command.options.flatMap(({ long, description }): readonly Offer[] =>
      long === undefined || long === null ? [] : [[long, description]],
    );
    return [...own, ['--help', 'show help']];
  }
  if (command.commands.length > 0)
    return command.commands.map((one) => [one.name(), one.summary()]);
  const { registeredArguments: all } = command;
  const argument = all[Math.min(position, all.length - 1)];
  return argument === undefined || (position >= all.length && !argument.variadic)
    ? []
    : await listValues(argument, typed);
}

/** The command of these words, the option whose value comes next, and how many arguments are before it. */
function followWords(program: ProgramCommand, words: readonly string[]) {
  let command: Command = program;
  let asks: Option | null = null;
  let position = 0;
  for (const word of words) {
    const option: Option | undefined = asks === null ? findOption(command, word) : undefined;
    const next = command.commands.find((one) => one.name() === word);
    if (asks !== null) asks = null;
    else if (option?.required === true) asks = option;
    else if (word.startsWith('-')) continue;
    else if (next !== undefined) {
      command = next;
      position = 0;
    } else position += 1;
  }
  return { command, asks, position };
}

function findOption({ options }: Command, flag: string): Option | undefined {
  return options.find(({ long, short }) => long === flag || short === flag);
}

const LENS_WORDS = LENSES.flatMap((lens) =>
  lens === 'player' ? COLOURS.map((colour) => `player:${colour}`) : [lens],
);

type OfferedWords = readonly string[];

/** What to offer for an option or an argument of this name, in any command. */
const OFFERS: Readonly<Record<string, (typed: string) => OfferedWords | Promise<OfferedWords>>> = {
  lens: () => LENS_WORDS,
  speed: () => Object.keys(SPEEDS),
  as: () => COLOURS,
  player: () => COLOURS,
  seat: () => COLOURS,
  provider: () => PROVIDER_NAMES,
  mind: () => ['scripted', 'silent', 'openai', 'command:', 'module:', 'http://'],
  match: async (typed) => ['electrical', ...(await listFiles(typed, '{yaml,yml}'))],
  journal: (typed) => listFiles(typed, 'jsonl{,.gz,.zst}'),
  journals: (typed) => listFiles(typed, 'jsonl{,.gz,.zst}'),
  words: () => SHELLS,
};

async function listValues(place: Option | Argument, typed: string): Promise<readonly Offer[]> {
  const name = 'long' in place ? (place.long ?? '').slice(2) : place.name();
  const words = place.argChoices ?? (await OFFERS[name]?.(typed)) ?? [];
  return words.map((word) => [word, '']);
}

/** Files in the typed folder, or one folder below. A name that can't be shown as it is can't be completed. */
async function listFiles(typed: string, ending: string): Promise<readonly string[]> {
  const { findFiles } = await import('../actors/files/openFiles.ts');
  const { clean } = await import('../visualizer/terminal/layout.ts');
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  return findFiles(`${folder}{*,*/*}.${ending}`, '.').filter((name) => clean(name) === name);
}
