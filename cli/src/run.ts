import { readFileSync } from 'node:fs'
import { Refusal } from '@kobo/gateway/kernel/errors.ts'
import { type Command, type CommandContext, UsageError } from './command.ts'
import { COMMAND_GROUPS, COMMANDS, CONFIGURATION } from './commands/index.ts'
import { PROGRAM } from './program.ts'

const WORDS_MAX = 3
const HELP_WORDS: readonly (string | undefined)[] = [undefined, '--help', '-h', 'help']
const VERSION_WORDS: readonly (string | undefined)[] = ['--version', '-v']

const widthOf = (words: readonly string[]): number => Math.max(...words.map(({ length }) => length))

function listed(
  commands: readonly [words: string, command: Command][],
  width = widthOf(commands.map(([words]) => words)),
): string {
  return commands.map(([words, { summary }]) => `  ${words.padEnd(width)}  ${summary}`).join('\n')
}

function grouped(): string {
  const width = widthOf(Object.keys(COMMANDS))
  return Object.entries(COMMAND_GROUPS)
    .map(([title, commands]) => `${title}\n${listed(Object.entries(commands), width)}`)
    .join('\n\n')
}

/** The text of `./kobo --help`. help.txt has a copy, which is printed without loading the commands. */
export const help = (): string =>
  `Kobo's command line.\n\nUsage: ${PROGRAM} COMMAND\n\n${grouped()}\n\nRun COMMAND --help for a command's options. With --json, every command that prints data prints JSON. ${CONFIGURATION}\n`

const version = (): string => JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

/** The commands that start with these words, such as `merchant` or `credits conflicts`. */
const groupOf = (words: readonly string[]): readonly [string, Command][] =>
  words.length === 0 ? [] : Object.entries(COMMANDS).filter(([name]) => name.startsWith(`${words.join(' ')} `))

function find(args: readonly string[]): { words: string; command: Command; rest: string[] } | undefined {
  for (let count = WORDS_MAX; count > 0; count--) {
    const words = args.slice(0, count).join(' ')
    const command = Object.hasOwn(COMMANDS, words) ? COMMANDS[words] : undefined
    if (command !== undefined) return { words, command, rest: args.slice(count) }
  }
  return undefined
}

const SUGGESTIONS_MAX = 3

/** Returns the commands whose names are most similar to these words, if any are similar. */
function nearest(args: readonly string[]): readonly [string, Command][] {
  const given = args.filter((arg) => !arg.startsWith('-')).slice(0, WORDS_MAX)
  const distanceTo = (name: string): number => distance(given.slice(0, name.split(' ').length).join(' '), name)
  return Object.entries(COMMANDS)
    .map(([name, command]) => ({ name, command, far: distanceTo(name) }))
    .filter(({ name, far }) => far <= Math.ceil(name.length / 4))
    .sort((one, other) => one.far - other.far)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ name, command }) => [name, command])
}

/** Returns how many letters must be added, removed or replaced to turn one text into the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** Handles arguments that are not a command: prints the help of a group of commands, the whole help, or an error. */
function handleNoCommand(args: readonly string[], { out, err }: CommandContext): number {
  const last = args.at(-1)
  const wantsHelp = HELP_WORDS.includes(last)
  const group = groupOf(wantsHelp ? args.slice(0, -1) : args)
  if (wantsHelp && args.length <= 1) out(help())
  else if (args.length === 1 && VERSION_WORDS.includes(last)) out(`${version()}\n`)
  else if (wantsHelp && group.length > 0) out(`${listed(group)}\n\nRun COMMAND --help for a command's options.\n`)
  else {
    const others = group.length > 0 ? group : nearest(args)
    const advice = `Run "${PROGRAM} --help" to see all commands.`
    err(
      `Unknown command: ${args.join(' ')}.\n\n${others.length > 0 ? `Did you mean:\n${listed(others)}\n\n` : ''}${advice}\n`,
    )
    return 2
  }
  return 0
}

/** Runs a command and returns its exit code. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const isAboutOne = args[0] === 'help' && args.length > 1
  const found = find(isAboutOne ? [...args.slice(1), '--help'] : args)
  if (found === undefined) return handleNoCommand(args, context)
  const { words, command, rest } = found
  if (rest.includes('--help') || rest.includes('-h')) {
    context.out(`${command.summary}\n\nUsage: ${PROGRAM} ${words} ${command.usage}\n${command.details ?? ''}`)
    return 0
  }
  try {
    // Most commands always print JSON, so they accept --json and ignore it.
    return await command.run(command.prints === undefined ? rest.filter((arg) => arg !== '--json') : rest, context)
  } catch (error) {
    // After its first sentence, Node's message has advice about positional arguments that fits none of our commands.
    const message = (error as Error).message.replace(/\. To specify a positional argument .*$/s, '.')
    context.err(isUsageError(error) ? `${message}\n\nUsage: ${PROGRAM} ${words} ${command.usage}\n` : `${message}\n`)
    return isUsageError(error) ? 2 : 1
  }
}

/** Whether the error is about the arguments, so that the usage helps. */
const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError ||
  error instanceof Refusal ||
  (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true
