import { type Hidden, hidden } from '@kobo/gateway/kernel/hidden.ts'
import { CONNECTORS } from './connectors/index.ts'

interface Setting<T> {
  readonly name: string
  readonly standard: string
  readonly help: string
  /** Throws a reason where the text is wrong. */
  readonly read: (text: string | undefined) => T
}

const setting = <T>(declared: Setting<T>): Setting<T> => declared

const PORT_MAX = 65_535
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const SETTINGS = {
  host: setting({
    name: 'HOST',
    standard: '127.0.0.1',
    help: 'Address to listen on',
    read: (text) => text ?? '127.0.0.1',
  }),
  port: setting({
    name: 'PORT',
    standard: '8090',
    help: 'Port to listen on; 0 takes any free one',
    read: (text) => {
      const port = /^\d{1,5}$/.test(text ?? '8090') ? Number(text ?? '8090') : Number.NaN
      return port <= PORT_MAX ? port : wrong(`must be a whole number from 0 to ${PORT_MAX}`)
    },
  }),
  connectors: setting<readonly string[]>({
    name: 'KOBO_CONNECTORS',
    standard: 'sandbox',
    help: `Connectors to serve, comma-separated: ${Object.keys(CONNECTORS).join(', ')}`,
    read: (text) =>
      (text ?? 'sandbox').split(',').map((name) => {
        const code = name.trim()
        return Object.hasOwn(CONNECTORS, code) ? code : wrong(`holds ${code}, which is no connector`)
      }),
  }),
  secret: setting<Hidden<string>>({
    name: 'KOBO_RAILS_SECRET',
    standard: 'none; required',
    help: 'The same as the gateway’s; at least 32 characters',
    read: (text) => secret(text ?? wrong('is required')),
  }),
  secretAlso: setting<Hidden<string> | undefined>({
    name: 'KOBO_RAILS_SECRET_ALSO',
    standard: 'none',
    help: 'A second secret that is accepted too, while one takes the place of the other',
    read: (text) => (text === undefined ? undefined : secret(text)),
  }),
  gatewayUrl: setting<string | undefined>({
    name: 'KOBO_GATEWAY_URL',
    standard: 'none; the gateway is told nothing, and asks',
    help: 'Address of the gateway that is told of credits and outcomes',
    read: (text) => {
      if (text !== undefined && !/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
        wrong('must be an http or https address')
      return text?.replace(/\/+$/, '')
    },
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    standard: 'info',
    help: `One of ${LOG_LEVELS.join(', ')}`,
    read: (text) =>
      LOG_LEVELS.includes(text ?? 'info') ? (text ?? 'info') : wrong(`must be one of ${LOG_LEVELS.join(', ')}`),
  }),
}

export type Settings = { readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']> }

/** Reads all settings at once; throws the whole list of what is wrong. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const wrongs: string[] = []
  const entries = Object.entries(SETTINGS).map(([key, { name, read }]) => {
    try {
      return [key, read(env[name]?.trim() || undefined)]
    } catch (error) {
      wrongs.push(`  ${name} ${(error as Error).message}`)
      return [key, undefined]
    }
  })
  if (wrongs.length > 0) throw new Error(`Settings that are wrong:\n${wrongs.join('\n')}`)
  return Object.fromEntries(entries) as Settings
}

/** The settings as a table for `--help`. */
export function settingsHelp(): string {
  const width = Math.max(...Object.values(SETTINGS).map(({ name }) => name.length))
  return Object.values(SETTINGS)
    .map(({ name, help, standard }) => `  ${name.padEnd(width)}  ${help} (default: ${standard})`)
    .join('\n')
}

function wrong(reason: string): never {
  throw new Error(reason)
}

const secret = (text: string): Hidden<string> =>
  /^\S{32,}$/.test(text) ? hidden(text) : wrong('must be at least 32 characters, without blanks')
