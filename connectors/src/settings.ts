import { accessSync, constants } from 'node:fs'
import { hidden } from '@kobo/gateway/kernel/hidden.ts'
import { type RailsSecret, readRailsSecrets, withoutSecret } from '@kobo/gateway/platform/config/rails.ts'
import type { Kinds, PartnerSetting, PartnerSettings } from './connector.ts'
import { CONNECTORS } from './partners/index.ts'

interface Setting<T> {
  readonly name: string
  readonly standard: string
  readonly help: string
  /** Reads the value; throws the reason if it is invalid. */
  readonly read: (text: string | undefined, env: NodeJS.ProcessEnv, kinds: Kinds) => T
}

const setting = <T>(declared: Setting<T>): Setting<T> => declared

const PORT_MAX = 65_535
const DRAIN_SECONDS_MAX = 300
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
    help: 'Port to listen on; 0 picks any free port',
    read: (text) => {
      const port = /^\d{1,5}$/.test(text ?? '8090') ? Number(text ?? '8090') : Number.NaN
      return port <= PORT_MAX ? port : wrong(`must be a whole number from 0 to ${PORT_MAX}`)
    },
  }),
  tls: setting<Tls | undefined>({
    name: 'KOBO_TLS_CERTIFICATE',
    standard: 'none: plain HTTP, for the same machine only',
    help: 'PEM file with the certificate and its chain; serves HTTPS together with KOBO_TLS_KEY. Both are read again when they change',
    read: (text, env) => {
      const key = env['KOBO_TLS_KEY']?.trim() || undefined
      if ((text === undefined) !== (key === undefined)) wrong('and KOBO_TLS_KEY must both be set')
      return text === undefined || key === undefined ? undefined : { certificate: readable(text), key: readable(key) }
    },
  }),
  tlsKey: setting<string | undefined>({
    name: 'KOBO_TLS_KEY',
    standard: 'none',
    help: 'PEM file with the private key of KOBO_TLS_CERTIFICATE',
    read: (text) => text,
  }),
  drainSeconds: setting({
    name: 'KOBO_DRAIN_SECONDS',
    standard: '0',
    help: 'How long a stopping process keeps serving while it reports not ready, so that a proxy can drain it',
    read: (text) => {
      const seconds = /^\d{1,3}$/.test(text ?? '0') ? Number(text ?? '0') : Number.NaN
      return seconds <= DRAIN_SECONDS_MAX ? seconds : wrong(`must be a whole number from 0 to ${DRAIN_SECONDS_MAX}`)
    },
  }),
  connectors: setting<readonly ChosenConnector[]>({
    name: 'KOBO_CONNECTORS',
    standard: 'sandbox',
    help: `Connectors to serve, comma-separated: ${Object.keys(CONNECTORS).join(', ')}; with another code and options: wema=sandbox?banks=035+058`,
    read: (text, _, kinds) => readConnectors(text, kinds),
  }),
  secrets: setting<readonly RailsSecret[]>({
    name: 'KOBO_RAILS_SECRET',
    standard: 'none; required',
    help: 'The same as the gateway’s; at least 32 characters, different for each connector: wema=…,providus=…',
    read: (text, env, kinds) => {
      const codes = codesIn(env, kinds)
      const secrets = readRailsSecrets(text ?? wrong('is required'), codes)
      const [lacking] = withoutSecret(codes, secrets)
      return lacking === undefined ? secrets : wrong(`has no secret for ${lacking.code}`)
    },
  }),
  secretsAlso: setting<readonly RailsSecret[]>({
    name: 'KOBO_RAILS_SECRET_ALSO',
    standard: 'none',
    help: 'A second secret that is also accepted during a rotation; for several connectors: wema=…,providus=…',
    read: (text, env, kinds) => readRailsSecrets(text, codesIn(env, kinds)),
  }),
  gatewayUrl: setting<string | undefined>({
    name: 'KOBO_GATEWAY_URL',
    standard: 'none; the gateway gets no notifications and polls',
    help: 'URL of the gateway that receives notifications of credits and outcomes',
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

/** The files of a certificate and its key. */
export interface Tls {
  readonly certificate: string
  readonly key: string
}

function readable(file: string): string {
  try {
    accessSync(file, constants.R_OK)
    return file
  } catch {
    return wrong(`names ${file}, which cannot be read`)
  }
}

export type Settings = { readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']> } & {
  /** Settings by connector code. */
  readonly partners: ReadonlyMap<string, PartnerSettings>
}

/** Reads all settings; throws one error that lists everything wrong. */
export function readSettings(env: NodeJS.ProcessEnv, kinds: Kinds = CONNECTORS): Settings {
  const wrongs: string[] = []
  const entries = Object.entries(SETTINGS).map(([key, { name, read }]) => {
    try {
      return [key, read(env[name]?.trim() || undefined, env, kinds)]
    } catch (error) {
      wrongs.push(`  ${name} ${(error as Error).message}`)
      return [key, undefined]
    }
  })
  const chosen = (entries.find(([key]) => key === 'connectors')?.[1] ?? []) as readonly ChosenConnector[]
  const partners = new Map(
    chosen.map((one) => [one.code, readPartner(one, kinds[one.kind]?.settings ?? [], env, wrongs)]),
  )
  if (wrongs.length > 0) throw new Error(`Invalid settings:\n${wrongs.join('\n')}`)
  return { ...Object.fromEntries(entries), partners } as Settings
}

/** The name of a connector's setting: `KOBO_9PSB_URL`. */
const nameOf = (code: string, name: string): string => `KOBO_${code.toUpperCase().replaceAll('-', '_')}_${name}`

/** Reads a connector's settings; adds errors to the list. */
function readPartner(
  { code, kind }: ChosenConnector,
  declared: readonly PartnerSetting[],
  env: NodeJS.ProcessEnv,
  wrongs: string[],
): PartnerSettings {
  const texts = new Map<string, string>()
  for (const { name, standard, whyNot } of declared) {
    const text = env[nameOf(code, name)]?.trim() || standard
    const why = text === undefined ? 'is required' : whyNot?.(text)
    if (why !== undefined) wrongs.push(`  ${nameOf(code, name)} ${why}`)
    texts.set(name, text ?? '')
  }
  const text = (name: string): string => texts.get(name) ?? wrong(`${name} is not a setting of ${kind}`)
  return { text, secret: (name) => hidden(text(name)) }
}

/** The settings as a table for `--help`. */
export function settingsHelp(): string {
  const width = Math.max(...Object.values(SETTINGS).map(({ name }) => name.length))
  const own = Object.values(SETTINGS).map(
    ({ name, help, standard }) => `  ${name.padEnd(width)}  ${help} (default: ${standard})`,
  )
  const partners = Object.entries(CONNECTORS).flatMap(([kind, { settings }]) =>
    settings === undefined
      ? []
      : ['', `Settings of the connector ${kind}:`, ...settings.map((one) => partnerHelp(kind, one))],
  )
  return [...own, ...partners].join('\n')
}

const partnerHelp = (kind: string, { name, help, standard, isSecret }: PartnerSetting): string =>
  `  ${nameOf(kind, name)}  ${help} (${isSecret === true ? 'secret; ' : ''}${standard === undefined ? 'required' : `default: ${standard || 'none'}`})`

function wrong(reason: string): never {
  throw new Error(reason)
}

/** A connector to serve under its own code. */
export interface ChosenConnector {
  readonly code: string
  /** The kind of connector, such as `sandbox`. */
  readonly kind: string
  readonly options: URLSearchParams
}

/** Codes that no connector may have, because this process uses them as paths. */
const RESERVED = new Set(['callbacks', 'health', 'metrics'])

const CHOSEN = /^(?:([a-z0-9][a-z0-9-]{0,31})=)?([a-z0-9-]+)(?:\?(\S*))?$/

function readConnectors(text: string | undefined, kinds: Kinds): readonly ChosenConnector[] {
  const chosen = (text ?? 'sandbox').split(',').map((item) => {
    const [, code, kind = '', options] = CHOSEN.exec(item.trim()) ?? []
    if (!Object.hasOwn(kinds, kind)) wrong(`contains ${item.trim()}, which is not a connector`)
    if (code !== undefined && RESERVED.has(code))
      wrong(`must not use the connector code ${code}: it is a path of this process`)
    return { code: code ?? kind, kind, options: new URLSearchParams(options) }
  })
  if (new Set(chosen.map(({ code }) => code)).size < chosen.length) wrong('must name each connector once')
  for (const { kind, options } of chosen) {
    const why = kinds[kind]?.whyNot(options)
    if (why !== undefined) wrong(`has invalid options for ${kind}: ${why}`)
  }
  return chosen
}

/**
 * Returns the connector codes whose secrets are read. If KOBO_CONNECTORS is invalid, which is reported separately, it
 * returns only the sandbox's code.
 */
function codesIn(env: NodeJS.ProcessEnv, kinds: Kinds): readonly { readonly code: string; readonly url: string }[] {
  try {
    return readConnectors(env['KOBO_CONNECTORS']?.trim() || undefined, kinds).map(({ code }) => ({ code, url: '' }))
  } catch {
    return [{ code: 'sandbox', url: '' }]
  }
}
