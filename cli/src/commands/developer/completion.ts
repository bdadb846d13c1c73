import { parseArgs } from 'node:util'
import { type Command, UsageError } from '../../command.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** The options in a command's usage. */
const optionsOf = ({ usage, prints }: Command): readonly string[] => [
  ...new Set([...(usage.match(/--[\w-]+/g) ?? []), ...(prints === 'no data' ? [] : ['--json']), '--help']),
]

/** The words that can follow the start of a command; after a whole command, its options. */
function following(commands: Readonly<Record<string, Command>>): ReadonlyMap<string, readonly string[]> {
  const next = new Map<string, Set<string>>()
  const add = (before: string, word: string): void => void next.set(before, (next.get(before) ?? new Set()).add(word))
  for (const [words, command] of Object.entries(commands)) {
    const parts = words.split(' ')
    for (const [index, word] of parts.entries()) add(parts.slice(0, index).join(' '), word)
    for (const option of optionsOf(command)) add(words, option)
  }
  return new Map([...next].map(([before, words]) => [before, [...words]]))
}

type Script = (next: ReadonlyMap<string, readonly string[]>, commands: Readonly<Record<string, Command>>) => string

const cases = (next: ReadonlyMap<string, readonly string[]>): string =>
  [...next].map(([before, words]) => `    '${before}') words='${words.join(' ')}' ;;`).join('\n')

/** The bash script. It ignores options before the cursor and matches the longest known start of a command. */
const bash: Script = (next) => `_kobo() {
  local before='' word words='' candidate
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    [ "\${word#-}" = "$word" ] || continue
    candidate="\${before:+$before }$word"
    _kobo_words "$candidate" && before=$candidate
  done
  _kobo_words "$before"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
_kobo_words() {
  case "$1" in
${cases(next)}
    *) return 1 ;;
  esac
}
complete -o bashdefault -o default -F _kobo kobo
`

// A new user of zsh, as on macOS, has no compinit in the startup files.
const zsh: Script = (next, commands) => `#compdef kobo
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -u }
autoload -U +X bashcompinit && bashcompinit
${bash(next, commands)}`

const fish: Script = (next) => `function __kobo_before
  set -l before ''
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    set -l candidate (string trim -- "$before $word")
    contains -- $candidate ${[...next.keys()].map((before) => `'${before}'`).join(' ')}; and set before $candidate
  end
  echo $before
end
function __kobo_words
  switch (__kobo_before)
${[...next].map(([before, words]) => `    case '${before}'\n      printf '%s\\n' ${words.map((word) => `'${word}'`).join(' ')}`).join('\n')}
  end
end
complete -c kobo -f -a '(__kobo_words)'
`

const SCRIPTS: Readonly<Record<Shell, Script>> = { bash, zsh, fish }

/** Takes the commands as a function, because this command is one of them. */
export const completion = (commands: () => Readonly<Record<string, Command>>): Command => ({
  prints: 'no data',
  usage: SHELLS.join('|'),
  summary: 'Prints a completion script for your shell',
  details: `
  bash: source <(./kobo completion bash)
  zsh:  source <(./kobo completion zsh)
  fish: ./kobo completion fish | source
`,
  run: async (args, { out }) => {
    const [word, ...more] = parseArgs({ args, options: {}, allowPositionals: true }).positionals
    const shell = SHELLS.find((known) => known === word)
    if (shell === undefined || more.length > 0) throw new UsageError(`Specify a shell: ${SHELLS.join(', ')}.`)
    out(SCRIPTS[shell](following(commands()), commands()))
    return 0
  },
})
