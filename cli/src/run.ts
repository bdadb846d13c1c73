import { readFileSync } from 'node:fs'
import { Refusal } from '@kobo/gateway/kernel/errors.ts'
import { type Command, type Surroundings, UsageError } from './command.ts'
import { COMMAND_GROUPS, COMMANDS } from './commands/index.ts'

const WORDS_MAX = 3
const HELP_WORDS: readonly (string | undefined)[] = [undefined, '--help', '-h', 'help']

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

const help = (): string =>
  `Kobo's command line.\n\nUsage: npx kobo COMMAND\n\n${grouped()}\n\nCOMMAND --help says what may follow it. With --json, all that prints data prints JSON. Settings come from the environment: npm start -- --help lists them.\n`

const version = (): string => JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

/** The commands that begin with some words, as `merchant` or `credits conflicts`. */
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

/** Answers what is no command: help in general, or for those that begin with the same word. */
function withoutCommand(args: readonly string[], { out, err }: Surroundings): number {
  const last = args.at(-1)
  const isAsked = HELP_WORDS.includes(last)
  const group = groupOf(isAsked ? args.slice(0, -1) : args)
  if (isAsked && args.length <= 1) out(help())
  else if (args.length === 1 && last === '--version') out(`${version()}\n`)
  else if (isAsked && group.length > 0) out(`${listed(group)}\n\nCOMMAND --help says what may follow it.\n`)
  else {
    err(`There is no command ${args.join(' ')}.\n\n${group.length > 0 ? `${listed(group)}\n` : help()}`)
    return 2
  }
  return 0
}

/** Runs what the words call; answers the exit code. */
export async function runCommand(args: readonly string[], around: Surroundings): Promise<number> {
  const found = find(args)
  if (found === undefined) return withoutCommand(args, around)
  const { words, command, rest } = found
  if (rest.includes('--help') || rest.includes('-h')) {
    around.out(`${command.summary}\n\nUsage: kobo ${words} ${command.usage}\n${command.details ?? ''}`)
    return 0
  }
  try {
    // Most print nothing else, so that it changes nothing; a script need not know which.
    return await command.run(command.prints === undefined ? rest.filter((arg) => arg !== '--json') : rest, around)
  } catch (error) {
    const { message } = error as Error
    around.err(isMisuse(error) ? `${message}\n\nUsage: kobo ${words} ${command.usage}\n` : `${message}\n`)
    return isMisuse(error) ? 2 : 1
  }
}

/** Whether the call is wrong, and not what came of it. A refusal says what of it. */
const isMisuse = (error: unknown): boolean =>
  error instanceof UsageError ||
  error instanceof Refusal ||
  (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true
